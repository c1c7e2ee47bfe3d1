// A mechanism in motion: bodies, joints, contacts and forces; orbits of pins in their clearances; forces over time.

const BODY_COLOURS = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#0072b2", "#b8a800"];
const FORCE_COLOUR = "#d62728";

class MechanismPicture {
    constructor(settings, arrays) {
        Object.assign(this, {settings, arrays, times: settings.time, arrows: true});
        const {low, high} = this.extent();
        Object.assign(this, {low, high, view: new View(low, high, true)});
        this.aspect = Math.min(0.75, Math.max(0.28, (high[1] - low[1]) / (high[0] - low[0])));
        this.summary = settings.summary;
    }

    value(name, frame, i) {
        const [low, step, count] = this.settings.scales[name];
        return low + step * this.arrays[name][frame * count + i];
    }

    extent() {
        const {settings, times} = this, low = [Infinity, Infinity], high = [-Infinity, -Infinity];
        const every = Math.max(1, Math.floor(times.length / 200)), margin = 0.06 * settings.size;
        for (let t = 0; t < times.length; t += every) {
            for (const item of settings.items) {
                for (const point of item.points || (item.at ? [item.at] : [[0, 0]])) {
                    const p = this.point(t, item.body, point);
                    [0, 1].forEach(k => {
                        const r = item.radius || 0;
                        low[k] = Math.min(low[k], p[k] - r - margin);
                        high[k] = Math.max(high[k], p[k] + r + margin);
                    });
                }
            }
        }
        const room = 0.15 * (high[0] - low[0]);
        if (high[1] - low[1] < 2 * room) [low[1], high[1]] = [low[1] - room / 2, high[1] + room / 2];
        return {low, high};
    }

    turned(frame, body, [x, y]) {
        if (body < 0) return [x, y];
        const angle = this.value("angle", frame, body), c = Math.cos(angle), s = Math.sin(angle);
        return [c * x - s * y, s * x + c * y];
    }

    point(frame, body, at) {
        const [x, y] = this.turned(frame, body, at);
        return body < 0 ? [x, y] : [x + this.value("position", frame, 2 * body), y + this.value("position", frame, 2 * body + 1)];
    }

    density() {
        return Math.min(2, window.devicePixelRatio || 1);
    }

    draw(context, frame, size, css) {
        const view = this.view.fit(size.width, size.height, size.density);
        context.clearRect(0, 0, size.width, size.height);
        context.lineJoin = context.lineCap = "round";
        for (const item of this.settings.items) this[item.kind](context, frame, item, view, size, css);
        if (this.arrows) this.forces(context, frame, view, size);
        if (this.after) this.after(frame, css);
    }

    colour(body, css) {
        return body < 0 ? css.line : BODY_COLOURS[body % BODY_COLOURS.length];
    }

    path(context, points) {
        context.beginPath();
        points.forEach(([x, y], i) => i ? context.lineTo(x, y) : context.moveTo(x, y));
    }

    // A body: its hull as a thick line, so that a rod is a bar.
    hull(context, frame, item, view, size, css) {
        const points = item.points.map(p => view.at(...this.point(frame, item.body, p)));
        const thick = Math.max(4, Math.min(16, 0.035 * this.settings.size * view.scale / size.density)) * size.density;
        this.path(context, points);
        context.closePath();
        context.globalAlpha = 0.75;
        context.fillStyle = context.strokeStyle = this.colour(item.body, css);
        context.lineWidth = thick;
        context.stroke();
        context.fill();
        context.globalAlpha = 1;
        const [x, y] = view.at(...this.point(frame, item.body, [0, 0])), r = 3 * size.density;
        context.strokeStyle = css.text;
        context.lineWidth = size.density;
        this.path(context, [[x - r, y], [x + r, y]]);
        context.stroke();
        this.path(context, [[x, y - r], [x, y + r]]);
        context.stroke();
    }

    /** Closes the path, and fills it with the colour of its body. */
    fill(context, item, size, css, opacity) {
        context.closePath();
        context.globalAlpha = opacity;
        context.fillStyle = this.colour(item.body, css);
        context.fill();
        context.globalAlpha = 1;
        context.strokeStyle = css.text;
        context.lineWidth = 1.2 * size.density;
        context.stroke();
    }

    polygon(context, frame, item, view, size, css) {
        this.path(context, item.points.map(p => view.at(...this.point(frame, item.body, p))));
        this.fill(context, item, size, css, 0.5);
    }

    line(context, frame, item, view, size, css) {
        this.path(context, item.points.map(p => view.at(...this.point(frame, item.body, p))));
        context.strokeStyle = this.colour(item.body, css);
        context.lineWidth = 2 * size.density;
        context.stroke();
    }

    block(context, frame, item, view, size, css) {
        const [x, y] = view.at(...this.point(frame, item.body, [0, 0])), [a, b] = this.turned(frame, item.body, item.axis);
        const [w, h] = [22 * size.density, 13 * size.density], corner = (s, e) => [x + e * w * a - s * h * b, y - e * w * b - s * h * a];
        this.path(context, [corner(1, 1), corner(1, -1), corner(-1, -1), corner(-1, 1)]);
        this.fill(context, item, size, css, 0.45);
    }

    rail(context, frame, item, view, size, css) {
        this.endless(context, frame, item, view, size, css, [5, 5]);
    }

    wall(context, frame, item, view, size, css) {
        this.endless(context, frame, item, view, size, css, []);
    }

    endless(context, frame, item, view, size, css, dash) {
        const [x, y] = view.at(...this.point(frame, item.body, item.at)), [a, b] = this.turned(frame, item.body, item.axis);
        const reach = item.body < 0 ? size.width + size.height : 0.7 * this.settings.size * view.scale;
        context.setLineDash(dash.map(d => d * size.density));
        context.strokeStyle = this.colour(item.body, css);
        context.lineWidth = 1.5 * size.density;
        this.path(context, [[x - reach * a, y + reach * b], [x + reach * a, y - reach * b]]);
        context.stroke();
        context.setLineDash([]);
    }

    pivot(context, frame, item, view, size, css) {
        const [x, y] = view.at(...this.point(frame, item.body, item.at)), r = 4.5 * size.density;
        context.fillStyle = css.page;
        context.strokeStyle = css.text;
        context.lineWidth = 1.5 * size.density;
        context.beginPath();
        context.arc(x, y, r, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
        if (!item.grounded) return;
        this.path(context, [[x - 2 * r, y + 3 * r], [x, y + r], [x + 2 * r, y + 3 * r]]);
        context.closePath();
        context.stroke();
    }

    circle(context, frame, item, view, size, css) {
        const [x, y] = view.at(...this.point(frame, item.body, item.at)), r = Math.max(item.radius * view.scale, 3 * size.density);
        context.beginPath();
        context.arc(x, y, r, 0, 2 * Math.PI);
        if (item.role !== "bearing") {
            context.fillStyle = this.colour(item.body, css);
            context.globalAlpha = 0.8;
            context.fill();
            context.globalAlpha = 1;
        }
        context.strokeStyle = css.text;
        context.lineWidth = (item.role === "bearing" ? 2 : 1) * size.density;
        context.stroke();
    }

    // Force of a contact point [N].
    force(frame, contact) {
        return this.value("force", frame, contact) ** 2;
    }

    forces(context, frame, view, size) {
        const {settings} = this;
        settings.contacts.forEach((name, c) => {
            const force = this.force(frame, c);
            if (force <= 1e-6 * settings.largest) return;
            const [x, y] = view.at(this.value("contact", frame, 2 * c), this.value("contact", frame, 2 * c + 1));
            const [nx, ny] = [this.value("normal", frame, 2 * c), this.value("normal", frame, 2 * c + 1)];
            arrow(context, x, y, nx, -ny, 0.16 * size.width * Math.sqrt(force / settings.largest), size.density);
        });
    }
}

function arrow(context, x, y, dx, dy, length, density) {
    const head = Math.min(9 * density, 0.6 * length), [tx, ty] = [x + length * dx, y + length * dy];
    context.strokeStyle = context.fillStyle = FORCE_COLOUR;
    context.lineWidth = 2.5 * density;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(tx - head * dx, ty - head * dy);
    context.stroke();
    context.beginPath();
    context.moveTo(tx, ty);
    context.lineTo(tx - head * dx - 0.45 * head * dy, ty - head * dy + 0.45 * head * dx);
    context.lineTo(tx - head * dx + 0.45 * head * dy, ty - head * dy - 0.45 * head * dx);
    context.fill();
}

// A small canvas of its own, `width` pixels of the page wide at most.
function smallCanvas(host, label, width, height) {
    const canvas = element("canvas", {role: "img", "aria-label": label});
    host.append(canvas);
    return () => {
        const shown = Math.min(width, host.clientWidth), density = Math.min(2, window.devicePixelRatio || 1);
        Object.assign(canvas, {width: Math.round(shown * density), height: Math.round(height * density)});
        Object.assign(canvas.style, {width: `${shown}px`, height: `${height}px`});
        return [canvas.getContext("2d"), canvas.width, canvas.height, density];
    };
}

// The orbit of one pin: the way so far, the pin's centre now, and the force that pushes it back.
function orbitOf(picture, c, host) {
    const {settings} = picture, frame = element("div", {class: "orbit"}, element("p", {}, `${settings.contacts[c]}: clearance ${withPrefix(settings.clearance[c], "m")}`));
    host.append(frame);
    const open = smallCanvas(frame, `orbit of ${settings.contacts[c]} in its clearance`, 230, 230);
    let widest = settings.clearance[c];
    for (let t = 0; t < picture.times.length; t++) widest = Math.max(widest, Math.hypot(picture.value("orbit", t, 2 * c), picture.value("orbit", t, 2 * c + 1)));
    return (now, css) => {
        const [context, width, height, density] = open(), scale = 0.46 * Math.min(width, height) / widest;
        const at = t => [width / 2 + scale * picture.value("orbit", t, 2 * c), height / 2 - scale * picture.value("orbit", t, 2 * c + 1)];
        context.strokeStyle = css.text;
        context.lineWidth = 1.2 * density;
        context.beginPath();
        context.arc(width / 2, height / 2, scale * settings.clearance[c], 0, 2 * Math.PI);
        context.stroke();
        context.strokeStyle = "#3b8fc4";
        context.lineWidth = density;
        context.beginPath();
        for (let t = 0; t <= now; t++) context.lineTo(...at(t));
        context.stroke();
        const [x, y] = at(now), force = picture.force(now, c);
        if (force > 1e-6 * settings.largest) {
            arrow(context, x, y, picture.value("normal", now, 2 * c), -picture.value("normal", now, 2 * c + 1), 0.42 * width * Math.sqrt(force / settings.largest), density);
        }
        context.fillStyle = css.text;
        context.beginPath();
        context.arc(x, y, 4 * density, 0, 2 * Math.PI);
        context.fill();
    };
}

// Forces over time, with a line at the present time.
function forcesOverTime(picture, host, go) {
    const {settings, times} = picture, last = times.length - 1;
    const open = smallCanvas(host, "contact forces over time", 4000, 120);
    host.lastChild.addEventListener("click", event => {
        const box = event.target.getBoundingClientRect();
        go(Math.round(last * (event.clientX - box.left) / box.width));
    });
    return (now, css) => {
        const [context, width, height, density] = open(), at = t => [width * t / Math.max(1, last), force => height - 3 * density - (height - 22 * density) * force / (settings.largest || 1)];
        settings.contacts.forEach((name, c) => {
            context.strokeStyle = BODY_COLOURS[c % BODY_COLOURS.length];
            context.lineWidth = 1.2 * density;
            context.beginPath();
            for (let t = 0; t <= last; t++) context.lineTo(at(t)[0], at(t)[1](picture.force(t, c)));
            context.stroke();
        });
        context.strokeStyle = FORCE_COLOUR;
        context.beginPath();
        context.moveTo(at(now)[0], 0);
        context.lineTo(at(now)[0], height);
        context.stroke();
        context.fillStyle = css.text;
        context.font = `${12 * density}px sans-serif`;
        context.fillText(`largest force ${withPrefix(settings.largest, "N")}`, 4 * density, 13 * density);
    };
}

function mechanismPlayer(host, settings, arrays) {
    const picture = new MechanismPicture(settings, arrays), player = new Player(host, picture);
    const box = element("input", {type: "checkbox", checked: true, onchange: () => { picture.arrows = box.checked; player.redraw(); }});
    player.options.append(labelled("Forces", box), ...settings.names.map((name, k) => {
        const key = element("span", {class: "body"}, name);
        key.style.borderColor = BODY_COLOURS[k % BODY_COLOURS.length];
        return key;
    }));
    const strip = element("div", {class: "strip"}), orbits = element("div", {class: "orbits"}), drawn = [];
    host.append(strip, orbits);
    if (settings.contacts.length && settings.largest > 0) drawn.push(forcesOverTime(picture, strip, frame => player.show(frame)));
    settings.clearance.forEach((clearance, c) => { if (clearance > 0 && drawn.length < 9) drawn.push(orbitOf(picture, c, orbits)); });
    picture.after = (frame, css) => {
        drawn.forEach(each => each(frame, css));
        player.readout.textContent = settings.contacts.map((name, c) => `${name} ${withPrefix(picture.force(frame, c), "N")}`).join(", ") || " ";
    };
    player.draw();
    return player;
}
