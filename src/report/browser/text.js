// Numbers with their unit, and elements. Text from files enters the page as text only, never as markup.

function withPrefix(value, unit) {
    if (value === 0 || !Number.isFinite(value)) return `${value} ${unit}`;
    const prefixes = {"-12": "p", "-9": "n", "-6": "µ", "-3": "m", "0": "", "3": "k", "6": "M"};
    const power = Math.min(6, Math.max(-12, 3 * Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-12)));
    return `${Number((value / 10 ** power).toPrecision(4))} ${prefixes[power]}${unit}`;
}

function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
        else if (value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children);
    return made;
}

function labelled(text, control) {
    return element("label", {}, text + " ", control);
}

function choice(names, change, chosen = 0) {
    return element("select", {onchange: event => change(event.target.selectedIndex)},
                   ...names.map((name, i) => element("option", {selected: i === chosen}, name)));
}
