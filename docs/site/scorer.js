// How the search of the site orders what it finds: pages before the reference of C++ and of every key, headings before words of the text.
var Scorer = {
  score: function (result) {
    var docname = result[0], score = result[4];
    if (docname.indexOf("reference/cpp") === 0) return score - 100;
    if (docname === "CHANGELOG" || docname.indexOf("validation/") === 0) return score - 50;
    if (docname.indexOf("docs/") === 0 || docname === "index") return score + 5;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2
};
