// Starts the page: first the moving pictures, which need no library, then the figures.

const PLAYERS = {packing: packingPlayer, mechanism: mechanismPlayer};

function say(sentence) {
    const notice = document.getElementById("notice");
    notice.textContent = sentence;
    notice.hidden = false;
}

async function showPictures() {
    for (const host of document.querySelectorAll(".picture")) {
        const bytes = await unpackedBytes(host.dataset.arrays), settings = JSON.parse(await unpackedText(host.dataset.settings));
        PLAYERS[host.dataset.kind](host, settings, arraysOf(bytes, settings.arrays));
    }
}

async function showFigures() {
    if (!document.getElementById("figures")) return;
    const script = element("script");
    script.textContent = await unpackedText("plotly");
    document.head.append(script);
    await new Figures(JSON.parse(await unpackedText("figures"))).drawAll();
}

// The page counts as loaded when all is drawn: programs that print it or take its picture wait for that. A document that is open inside it
// keeps it loading.
function stillLoading() {
    const frame = element("iframe", {hidden: true, "aria-hidden": true});
    document.body.append(frame);
    frame.contentDocument.open();
    return () => {
        frame.contentDocument.close();
        frame.remove();
    };
}

async function start() {
    if (typeof DecompressionStream === "undefined") {
        return say("This browser cannot unpack the figures. It needs Chrome or Edge 80, Firefox 113, Safari 16.4, or later.");
    }
    const loaded = stillLoading();
    try {
        await showPictures();
        await showFigures();
        document.documentElement.dataset.drawnMs = performance.now().toFixed(0);
    } catch (error) {
        say(`The figures cannot be drawn: ${error.message}`);
        throw error;
    } finally {
        loaded();
    }
}

start();
