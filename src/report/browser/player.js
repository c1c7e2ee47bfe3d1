// The frame of a moving picture: canvas, play and pause, slider through the snapshots, speed, zoom; mouse, touch and keys.
//
// A picture gives: times [s], view, aspect (height over width), draw(context, frame, size, moving), pick(x, y) -> text, summary.

const SECONDS_OF_A_RUN = 8;

class Player {
    constructor(host, picture) {
        Object.assign(this, {host, picture, frame: picture.times.length - 1, playing: false, speed: 1});
        const last = picture.times.length - 1;
        this.canvas = element("canvas", {tabindex: 0, role: "img", "aria-label": picture.summary, "aria-keyshortcuts": "Space Left Right Up Down Plus Minus Home",
                                         title: picture.view.planar ? "drag: move; + and -: zoom" : "drag: rotate; + and -: zoom"});
        this.readout = element("p", {class: "readout"}, " ");
        this.button = element("button", {type: "button", onclick: () => this.toggle()}, "Play");
        this.slider = element("input", {type: "range", min: 0, max: last, step: 1, value: last, "aria-label": "snapshot",
                                        oninput: () => this.show(Number(this.slider.value))});
        this.clock = element("output", {class: "clock"});
        const rates = [0.25, 0.5, 1, 2, 4];
        const zoom = factor => () => this.zoomBy(factor);
        this.bar = element("div", {class: "controls", role: "group", "aria-label": "player"}, this.button, this.slider, this.clock,
            labelled("Speed", choice(rates.map(rate => `${rate} x`), i => { this.speed = rates[i]; }, 2)),
            element("button", {type: "button", "aria-label": "zoom in", onclick: zoom(1.4)}, "+"),
            element("button", {type: "button", "aria-label": "zoom out", onclick: zoom(1 / 1.4)}, "−"),
            element("button", {type: "button", onclick: () => this.reset()}, "Whole run"));
        if (picture.fitSnapshot) {
            this.bar.append(element("button", {type: "button", onclick: () => { picture.fitSnapshot(this.frame); this.redraw(); }}, "This snapshot"));
        }
        if (last < 1) for (const part of [this.button, this.slider]) part.disabled = true;
        this.options = element("div", {class: "controls", role: "group", "aria-label": "what is shown"});
        host.append(this.options, this.canvas, this.readout, this.bar);
        this.listen();
        new ResizeObserver(() => this.redraw()).observe(host);
    }

    listen() {
        const {canvas, picture} = this;
        let from = null;
        canvas.addEventListener("pointerdown", event => {
            from = [event.clientX, event.clientY];
            canvas.setPointerCapture(event.pointerId);
        });
        for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { from = null; this.redraw(); });
        canvas.addEventListener("pointermove", event => {
            if (!from) return this.tell(event);
            const dx = event.clientX - from[0], dy = event.clientY - from[1];
            from = [event.clientX, event.clientY];
            this.drag(dx, dy);
        });
        canvas.addEventListener("wheel", event => {
            if (document.activeElement !== canvas) return;  // otherwise the wheel scrolls the page
            event.preventDefault();
            this.zoomBy(Math.exp(-0.0015 * event.deltaY));
        }, {passive: false});
        canvas.addEventListener("keydown", event => {
            const step = picture.view.planar ? 20 : 12, keys = {
                " ": () => this.toggle(), ArrowLeft: () => this.drag(-step, 0), ArrowRight: () => this.drag(step, 0),
                ArrowUp: () => this.drag(0, -step), ArrowDown: () => this.drag(0, step), "+": () => this.zoomBy(1.2), "=": () => this.zoomBy(1.2),
                "-": () => this.zoomBy(1 / 1.2), Home: () => this.reset(), ",": () => this.show(this.frame - 1), ".": () => this.show(this.frame + 1)};
            if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
            event.preventDefault();
            keys[event.key]();
        });
    }

    drag(dx, dy) {
        const {view} = this.picture;
        if (view.planar) view.shift = [view.shift[0] + dx, view.shift[1] + dy];
        else view.rotate(-0.008 * dx, 0.008 * dy);
        this.redraw(true);
    }

    zoomBy(factor) {
        const {view} = this.picture;
        view.zoom = Math.min(Math.max(view.zoom * factor, 0.2), 500);
        view.shift = view.shift.map(s => s * factor);
        this.redraw();
    }

    reset() {
        Object.assign(this.picture.view, {low: this.picture.low, high: this.picture.high}).reset();
        this.redraw();
    }

    tell(event) {
        if (!this.picture.pick) return;
        const box = this.canvas.getBoundingClientRect(), density = this.canvas.width / box.width;
        this.readout.textContent = this.picture.pick((event.clientX - box.left) * density, (event.clientY - box.top) * density, this.frame) || " ";
    }

    toggle() {
        this.playing = !this.playing;
        this.button.textContent = this.playing ? "Pause" : "Play";
        if (!this.playing) return this.redraw();
        const last = this.picture.times.length - 1, start = this.frame >= last ? 0 : this.frame, began = performance.now();
        const rate = last / SECONDS_OF_A_RUN / 1000;
        const next = now => {
            if (!this.playing) return;
            const frame = Math.floor(start + Math.max(0, now - began) * rate * this.speed);
            if (frame >= last) {
                this.show(last);
                return this.toggle();
            }
            if (frame !== this.frame) this.show(frame);
            requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
    }

    show(frame) {
        this.frame = Math.min(Math.max(frame, 0), this.picture.times.length - 1);
        this.redraw(this.playing);
    }

    // At most once per frame of the screen. `moving`: the picture may be coarser.
    redraw(moving = false) {
        this.moving = moving;
        if (this.waiting) return;
        this.waiting = requestAnimationFrame(() => {
            this.waiting = 0;
            this.draw(this.moving);
        });
    }

    draw(moving = false) {
        const {picture, canvas, frame} = this, width = Math.max(200, Math.floor(this.host.clientWidth));
        const height = Math.round(Math.min(width * picture.aspect, 0.85 * Math.max(window.innerHeight, 500)));
        const began = performance.now(), density = picture.density(width * height, moving);
        const size = {width: Math.round(width * density), height: Math.round(height * density), density};
        if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, {width: size.width, height: size.height});
        Object.assign(canvas.style, {width: `${width}px`, height: `${height}px`});
        const style = getComputedStyle(this.host);
        picture.draw(canvas.getContext("2d"), frame, size, {text: style.color, line: style.getPropertyValue("--line").trim(),
                                                                page: style.getPropertyValue("--page").trim()});
        const time = withPrefix(picture.times[frame], "s");
        this.slider.value = frame;
        this.slider.setAttribute("aria-valuetext", time);
        this.clock.textContent = `${time} (${frame + 1} of ${picture.times.length})`;
        if (!canvas.dataset.drawnMs) canvas.dataset.drawnMs = performance.now().toFixed(0);  // since the page began to load
        canvas.dataset.frameMs = (performance.now() - began).toFixed(1);
    }
}
