// Draws the figures of plotly: in light or dark colours, in columns or, on a narrow screen, one below the other.

const NARROW = 640;  // pixels of the page
const DARK = {"#fff": "#15181c", "#222": "#e3e5e8", "#444": "#8b939c", "#e6e6e6": "#30353b", "#ccc": "#4a5057", "#000000": "#f2f2f2",
              "#666": "#a8adb3", "#f0e0c0": "#453a24", "#0072B2": "#3b9bdc", "#999999": "#8a8a8a",
              "rgba(255,255,255,0.8)": "rgba(21,24,28,0.8)", "rgba(255,255,255,0.85)": "rgba(21,24,28,0.85)"};

function mapped(value, change) {
    if (Array.isArray(value)) return value.length > 0 && typeof value[0] === "number" ? value : value.map(v => mapped(v, change));
    if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, mapped(v, change)]));
    return typeof value === "string" ? change(value) : value;
}

function inDark(text) {
    return DARK[text] || text.replace(/color:#0072B2/g, "color:#3b9bdc");
}

// One frame of curves: an axis y with its axis x, where it is now and where it will be.
function framesOf(layout) {
    return Object.keys(layout).filter(key => /^yaxis\d*$/.test(key)).map(key => {
        const anchor = layout[key].anchor || "x", x = "xaxis" + anchor.slice(1);
        return {key, x, across: (layout[x] && layout[x].domain) || [0, 1], up: layout[key].domain || [0, 1]};
    });
}

function stacked(layout) {
    const frames = framesOf(layout);
    if (!frames.some(frame => frame.across[1] - frame.across[0] < 0.7)) return layout;
    frames.sort((a, b) => a.across[0] - b.across[0] || b.up[0] - a.up[0]);
    const column = frame => frame.across[0].toFixed(3), changed = {...layout};
    const tall = frames.map(frame => frame.up[1] - frame.up[0]), total = tall.reduce((sum, h) => sum + h, 0);
    const height = Math.max(layout.height - 90, 200), gap = 70;
    const heights = tall.map(h => total > 1.5 ? Math.max(110, h * height) : Math.max(110, height * h / total));
    const gaps = frames.map((frame, i) => i === 0 ? 0 : column(frame) === column(frames[i - 1]) ? 24 : gap);
    const whole = heights.reduce((sum, h) => sum + h, 0) + gaps.reduce((sum, g) => sum + g, 0);
    let top = whole;
    frames.forEach((frame, i) => {
        top -= gaps[i];
        frame.now = [(top - heights[i]) / whole, top / whole];
        top -= heights[i];
        changed[frame.key] = {...layout[frame.key], domain: frame.now.map(v => Math.max(0, Math.min(1, v)))};
        if (layout[frame.x]) changed[frame.x] = {...layout[frame.x], domain: [0, 1]};
    });
    changed.height = whole + 110;
    changed.annotations = (layout.annotations || []).map(note => {
        if (note.xref !== "paper") return note;
        const distance = f => Math.hypot(Math.max(f.across[0] - note.x, 0, note.x - f.across[1]), Math.max(f.up[0] - note.y, 0, note.y - f.up[1]));
        const near = frames.reduce((best, f) => distance(f) < distance(best) ? f : best);
        const to = (v, [a, b], [c, d]) => c + (v - a) / (b - a) * (d - c);
        return {...note, x: to(note.x, near.across, [0, 1]), y: to(note.y, near.up, near.now)};
    });
    return changed;
}

function narrowed(layout) {
    const changed = stacked(layout), shared = {automargin: true, nticks: 5};
    // A row of buttons would leave the screen.
    if (layout.updatemenus) changed.updatemenus = layout.updatemenus.map(menu => ({...menu, type: "dropdown", direction: "down"}));
    for (const key of Object.keys(changed)) {
        if (/^[xy]axis\d*$/.test(key)) changed[key] = {...changed[key], ...(key[0] === "x" ? {nticks: 5} : shared)};
    }
    return {...changed, dragmode: false, font: {...layout.font, size: 11}, margin: {...layout.margin, l: 50, r: 8},
            legend: {...layout.legend, orientation: "h", x: 0, xanchor: "left",
                     ...(layout.updatemenus ? {y: -0.2, yanchor: "top"} : {y: 1.02, yanchor: "bottom"})}};
}

class Figures {
    constructor(figures) {
        this.figures = figures;
        this.dark = matchMedia("(prefers-color-scheme: dark)");
        this.printing = false;
        this.dark.addEventListener("change", () => this.again());
        addEventListener("beforeprint", () => { this.printing = true; this.again(); });
        addEventListener("afterprint", () => { this.printing = false; this.again(); });
        this.narrow = this.isNarrow();
        this.widths = new Map();
        this.sizes = new ResizeObserver(entries => entries.forEach(entry => this.resized(entry.target)));
    }

    resized(host) {
        const width = Math.round(host.clientWidth);
        if (!width || this.widths.get(host) === width) return;
        this.widths.set(host, width);
        if (this.narrow !== this.isNarrow()) {
            this.narrow = this.isNarrow();
            this.again();
        } else {
            Plotly.Plots.resize(host);
        }
    }

    isNarrow() {
        return document.documentElement.clientWidth < NARROW;
    }

    async draw(name) {
        const {data, layout} = this.figures[name], host = document.getElementById(`figure-${name}`);
        const change = this.dark.matches && !this.printing ? inDark : text => text;
        const shown = this.narrow ? narrowed(layout) : {...layout};
        await Plotly.react(host, data.map(trace => mapped(trace, change)), mapped(shown, change),
                           {displaylogo: false, displayModeBar: this.narrow ? false : "hover", toImageButtonOptions: {format: "svg"}});
        if (!host.dataset.drawn) {
            this.sizes.observe(host);
            host.on("plotly_click", event => this.choose(host, event.points[0].customdata));
        }
        host.dataset.drawn = "yes";
    }

    // A point that has the number of a step of the slider moves it there.
    async choose(host, step) {
        const slider = (host.layout.sliders || [])[0];
        if (!slider || !Number.isInteger(step) || !slider.steps[step]) return;
        const [changes, traces] = slider.steps[step].args;
        await Plotly.restyle(host, changes, traces);
        await Plotly.relayout(host, {"sliders[0].active": step});
    }

    again() {
        for (const name of Object.keys(this.figures)) if (document.getElementById(`figure-${name}`).dataset.drawn) this.draw(name);
    }

    // One after the other, with a rest between, so that the page can be scrolled meanwhile. Each has its place from the start, so that
    // nothing moves.
    async drawAll() {
        const hosts = Object.keys(this.figures).map(name => [name, document.getElementById(`figure-${name}`)]);
        for (const [name, host] of hosts) host.style.minHeight = `${(this.narrow ? stacked : x => x)(this.figures[name].layout).height}px`;
        for (const [name, host] of hosts) {
            await this.draw(name);
            host.style.minHeight = "";
            await new Promise(resolve => setTimeout(resolve));
        }
    }
}
