// The moving picture of a packing: discs or spheres coloured by a quantity, force lines, walls.

const ABSENT = 65535;  // the place of a particle that is not there
const DECADES = 3;  // of the threshold of the force lines

class PackingPicture {
    constructor(settings, arrays) {
        Object.assign(this, {settings, arrays, times: settings.time, quantity: 0, solid: "solid", ofSnapshot: false, threshold: 0.05});
        const {count, planar} = {count: settings.shown, planar: settings.planar};
        this.count = count;
        this.dimension = planar ? 2 : 3;
        this.radius = Float32Array.from(arrays.radius, k => settings.radii[k]);
        this.largestRadius = Math.max(...settings.radii);
        Object.assign(this, this.extent(0, this.times.length - 1));
        for (const cell of settings.cell || []) {
            cell.forEach((x, i) => {
                if (i % 3 >= this.dimension) return;
                this.low[i % 3] = Math.min(this.low[i % 3], x);
                this.high[i % 3] = Math.max(this.high[i % 3], x);
            });
        }
        this.view = new View(this.low, this.high, planar);
        const size = this.high.map((high, k) => high - this.low[k]);
        this.aspect = planar ? Math.min(1.1, Math.max(0.3, size[1] / size[0])) : 0.72;
        this.tables = settings.quantities.map(q => colourTable(q.signed));
        this.colours = settings.quantities.map((_, k) => arrays[`colour${k}`]);
        this.lines = Boolean(settings.contacts) && planar;
        if (settings.contacts) this.sumContacts();
        this.raster = new Raster();
        this.scratch = document.createElement("canvas");
        this.webgl = count > WEBGL_FROM ? openWebGL(this) : null;
        this.summary = settings.summary;
    }

    // Corners of all places [m] at the snapshots first to last.
    extent(first, last) {
        const {low, step} = this.settings, n = this.count, r = this.largestRadius, corners = {low: [], high: []};
        for (let k = 0; k < this.dimension; k++) {
            let a = 65535, b = 0;
            for (let t = first; t <= last; t++) {
                const from = (t * this.dimension + k) * n;
                for (let i = from; i < from + n; i++) {
                    const v = this.arrays.place[i];
                    if (v === ABSENT) continue;
                    if (v < a) a = v;
                    if (v > b) b = v;
                }
            }
            corners.low.push(low[k] + a * step - r);
            corners.high.push(low[k] + b * step + r);
        }
        return corners;
    }

    sumContacts() {
        const {first, offset} = this.arrays;
        this.second = new Uint32Array(first.length);
        for (let i = 0; i < first.length; i++) this.second[i] = first[i] + (offset[i] | 0);
    }

    // Pixels of the picture per pixel of the page: two, which smooths the edges, unless that would be slow.
    density(pixels, moving) {
        if (this.webgl) return Math.min(2, window.devicePixelRatio || 1);
        const work = pixels + 40 * this.count * (this.dimension - 1);
        return work > (moving ? 1.5e6 : 1.2e7) ? 1 : 2;
    }

    // Makes the particles of one snapshot fill the picture.
    fitSnapshot(frame) {
        Object.assign(this.view, this.extent(frame, frame)).reset();
    }

    place(frame, i, k) {
        return this.settings.low[k] + this.settings.step * this.arrays.place[(frame * this.dimension + k) * this.count + i];
    }

    // For each number of a colour, its place in the table of 256 colours.
    colourIndex(frame) {
        const q = this.settings.quantities[this.quantity], values = this.colours[this.quantity], n = this.count;
        let top = q.linear ? Math.max(1, q.largest) : 63;
        if (this.ofSnapshot) {
            top = 1;
            for (let i = frame * n; i < (frame + 1) * n; i++) {
                const v = q.signed ? Math.abs(values[i] << 24 >> 24) : values[i];
                if (v > top) top = v;
            }
        }
        this.top = top;
        const index = new Uint8Array(256);
        for (let v = 0; v < 256; v++) {
            const signed = v << 24 >> 24;
            index[v] = q.signed ? Math.round(127.5 + 127.5 * Math.min(1, Math.max(-1, signed / top))) : Math.round(255 * Math.min(1, v / top));
        }
        return index;
    }

    // The value at the end of the colour scale.
    topValue() {
        const q = this.settings.quantities[this.quantity];
        return q.linear ? this.top : q.largest * (this.top / 63) ** 2;
    }

    draw(context, frame, size, css) {
        const view = this.view.fit(size.width, size.height, size.density);
        const index = this.colourIndex(frame);
        if (this.solid === "hidden") context.clearRect(0, 0, size.width, size.height);
        else this.particles(context, frame, size, view, index);
        this.surroundings(context, frame, size, view, css);
        if (this.lines) this.forces(context, frame, size, view);
        if (this.legend) this.legend();
    }

    particles(context, frame, size, view, index) {
        const target = this.webgl && this.webgl.draw(frame, size, view, index, this.tables[this.quantity]);
        context.clearRect(0, 0, size.width, size.height);
        context.globalAlpha = this.solid === "faint" ? 0.25 : 1;
        if (target) {
            context.drawImage(target, 0, 0);
        } else {
            this.rasterise(frame, size, view, index);
            Object.assign(this.scratch, {width: size.width, height: size.height});
            this.raster.show(this.scratch.getContext("2d"));
            context.drawImage(this.scratch, 0, 0);
        }
        context.globalAlpha = 1;
    }

    rasterise(frame, size, view, index) {
        const {raster, count, dimension, settings: {low, step}, radius} = this, table = this.tables[this.quantity];
        const places = this.arrays.place, values = this.colours[this.quantity], base = frame * dimension * count;
        raster.resize(size.width, size.height);
        raster.clear(dimension === 3);
        const [a, b, c] = view.rows, s = view.scale, [cx, cy, cz = 0] = view.centre;
        for (let i = 0; i < count; i++) {
            if (places[base + i] === ABSENT) continue;
            const dx = low[0] + step * places[base + i] - cx, dy = low[1] + step * places[base + count + i] - cy;
            const colour = table[index[values[frame * count + i]]], r = s * radius[i];
            if (dimension === 2) {
                raster.disc(view.x0 + s * dx, view.y0 - s * dy, r, colour);
            } else {
                const dz = low[2] + step * places[base + 2 * count + i] - cz;
                raster.sphere(view.x0 + s * (a[0] * dx + a[1] * dy), view.y0 - s * (b[0] * dx + b[1] * dy + b[2] * dz),
                              s * (c[0] * dx + c[1] * dy + c[2] * dz), r, colour);
            }
        }
    }

    surroundings(context, frame, size, view, css) {
        context.lineWidth = 1.2 * size.density;
        context.strokeStyle = css.line || css.text;
        drawBox(context, this, frame);
        if (this.dimension === 3) {
            drawWallLines(context, this, frame);
            return drawAxes(context, this, size, css);
        }
        const {walls} = this.settings;
        if (!walls) return;
        const points = walls.point[Math.min(frame, walls.point.length - 1)];
        const reach = 2 * Math.max(size.width, size.height) / view.scale + Math.hypot(this.high[0] - this.low[0], this.high[1] - this.low[1]);
        walls.normal.forEach(([nx, ny], w) => {
            const radius = walls.radius ? walls.radius[w] : 0;
            if (radius !== 0) {
                context.beginPath();
                if (radius > 0) context.arc(...view.at(...points[w]).slice(0, 2), view.scale * radius, 0, 2 * Math.PI);
                context.stroke();
                return;
            }
            const [px, py] = points[w], along = (0.5 * (this.low[0] + this.high[0]) - px) * -ny + (0.5 * (this.low[1] + this.high[1]) - py) * nx;
            const middle = [px - ny * along, py + nx * along], ends = clipped(middle, [-ny, nx], reach, walls.normal, points, w);
            if (!ends) return;
            context.beginPath();
            context.moveTo(...view.at(middle[0] - ny * ends[0], middle[1] + nx * ends[0]));
            context.lineTo(...view.at(middle[0] - ny * ends[1], middle[1] + nx * ends[1]));
            context.stroke();
        });
    }

    // The force that the thickest line has, and the force of a step of 255.
    forceScale(frame) {
        const {contacts} = this.settings, [from, to] = [contacts.splits[frame], contacts.splits[frame + 1]];
        let top = 255;
        if (this.ofSnapshot) {
            top = 1;
            for (let c = from; c < to; c++) if (this.arrays.size[c] > top) top = this.arrays.size[c];
        }
        return {from, to, top};
    }

    forces(context, frame, size, view) {
        const {from, to, top} = this.forceScale(frame), {arrays, count, settings} = this, classes = 12;
        const least = Math.sqrt(this.threshold) * top;
        const paths = Array.from({length: classes}, () => new Path2D());
        this.drawnLines = 0;
        for (let c = from; c < to; c++) {
            const v = arrays.size[c];
            if (v < least) continue;
            this.drawnLines++;
            this.line(paths[Math.min(classes - 1, Math.floor(classes * (v / top) ** 2))], frame, arrays.first[c], this.second[c], view, count, settings);
        }
        context.lineCap = "round";
        paths.forEach((path, k) => {
            const share = (k + 0.5) / classes;
            context.lineWidth = size.density * (0.7 + 5.3 * share);
            context.strokeStyle = `hsl(${24 - 24 * share} 95% ${56 - 12 * share}%)`;
            context.stroke(path);
        });
    }

    // At the centre p of a particle; null: not known.
    wallNormal(frame, p, w) {
        const {walls} = this.settings, radius = walls.radius ? walls.radius[w] : 0, axis = walls.normal[w];
        if (radius === 0) return axis;
        if (radius < 0) return null;
        const point = walls.point[Math.min(frame, walls.point.length - 1)][w];
        const arm = p.map((x, k) => x - point[k]), along = arm.reduce((sum, x, k) => sum + x * axis[k], 0);
        const across = arm.map((x, k) => x - along * axis[k]), distance = Math.hypot(...across);
        return across.map(x => x / distance * (distance < radius ? -1 : 1));
    }

    // Between two centres; of neighbours across a periodic side the two halves; to the foot on a wall.
    line(path, frame, a, b, view, count, settings) {
        const p = [0, 1, 2].slice(0, this.dimension).map(k => this.place(frame, a, k));
        if (b >= count) {
            const normal = this.wallNormal(frame, p, b - count), r = this.radius[a];
            if (!normal) return;
            path.moveTo(...view.at(...p).slice(0, 2));
            path.lineTo(...view.at(...p.map((x, k) => x - r * normal[k])).slice(0, 2));
            return;
        }
        const d = p.map((x, k) => this.place(frame, b, k) - x), wrapped = d.map((x, k) => settings.box[k] ? x - settings.box[k] * Math.round(x / settings.box[k]) : x);
        if (Math.hypot(...wrapped) > 4 * this.largestRadius) return;
        const crosses = wrapped.some((x, k) => Math.abs(x - d[k]) > 1e-9 * Math.abs(x) + settings.step), half = crosses ? 0.5 : 1;
        path.moveTo(...view.at(...p).slice(0, 2));
        path.lineTo(...view.at(...p.map((x, k) => x + half * wrapped[k])).slice(0, 2));
        if (!crosses) return;
        const q = p.map((x, k) => x + d[k]);
        path.moveTo(...view.at(...q).slice(0, 2));
        path.lineTo(...view.at(...q.map((x, k) => x - 0.5 * wrapped[k])).slice(0, 2));
    }

    // The particle under the pointer, in words.
    pick(x, y, frame) {
        const {view, count, radius} = this;
        let found = -1, front = -Infinity;
        for (let i = 0; i < count; i++) {
            const [px, py, pz] = view.at(this.place(frame, i, 0), this.place(frame, i, 1), this.dimension === 3 ? this.place(frame, i, 2) : 0);
            const r = view.scale * radius[i], rest = r * r - (px - x) ** 2 - (py - y) ** 2;
            if (rest >= 0 && pz + Math.sqrt(rest) > front) [found, front] = [i, pz + Math.sqrt(rest)];
        }
        if (found < 0) return "";
        const values = this.settings.quantities.map((q, k) => {
            const v = this.colours[k][frame * count + found], signed = q.signed ? v << 24 >> 24 : v;
            return q.linear ? `${q.name} ${v}` : `${q.name} ${withPrefix(Math.sign(signed) * q.largest * (signed / 63) ** 2, q.unit)}`;
        });
        return `particle ${found * this.settings.every}: ${values.join(", ")}`;
    }
}

// The part of a wall on the free side of all other walls: distances from its middle along its direction; null if there is none.
function clipped(middle, direction, reach, normals, points, own) {
    let [from, to] = [-reach, reach];
    normals.forEach(([nx, ny], w) => {
        if (w === own) return;
        const rise = nx * direction[0] + ny * direction[1], height = nx * (middle[0] - points[w][0]) + ny * (middle[1] - points[w][1]);
        if (rise > 1e-9) from = Math.max(from, -height / rise);
        else if (rise < -1e-9) to = Math.min(to, -height / rise);
    });
    return from < to ? [from, to] : null;
}

// The periodic box; without one, in space, the box of all places.
function drawBox(context, picture, frame) {
    const {view, low, high, dimension} = picture, {cell} = picture.settings;
    if (!cell && dimension === 2) return;
    const at = cell && cell[Math.min(frame, cell.length - 1)];
    const corner = a => view.at(...[0, 1, 2].slice(0, dimension).map(i => at ? at[3 * a + i] : [low, high][a >> i & 1][i])).slice(0, 2);
    context.globalAlpha = cell ? 0.7 : 0.35;
    context.beginPath();
    for (let a = 0; a < 2 ** dimension; a++) {
        for (let k = 0; k < dimension; k++) {
            const b = a | (1 << k);
            if (b === a) continue;
            context.moveTo(...corner(a));
            context.lineTo(...corner(b));
        }
    }
    context.stroke();
    context.globalAlpha = 1;
}

// The directions of x, y and z.
function drawAxes(context, picture, size, css) {
    const {view} = picture;
    const length = 28 * size.density, origin = [44 * size.density, size.height - 44 * size.density];
    context.font = `${13 * size.density}px sans-serif`;
    context.fillStyle = context.strokeStyle = css.text;
    "xyz".split("").forEach((name, k) => {
        const tip = [origin[0] + length * view.rows[0][k], origin[1] - length * view.rows[1][k]];
        context.beginPath();
        context.moveTo(...origin);
        context.lineTo(...tip);
        context.stroke();
        context.fillText(name, tip[0] + 3 * size.density, tip[1]);
    });
}

function packingPlayer(host, settings, arrays) {
    const picture = new PackingPicture(settings, arrays), player = new Player(host, picture);
    const again = () => player.redraw(), scale = element("span", {class: "scale"}), note = element("span");
    player.options.append(labelled("Colour", choice(settings.quantities.map(q => q.name), k => { picture.quantity = k; again(); })), scale,
        labelled("Scale", choice(["of the whole run", "of each snapshot"], k => { picture.ofSnapshot = k === 1; again(); })),
        labelled("Particles", choice(["solid", "faint", "hidden"], k => { picture.solid = ["solid", "faint", "hidden"][k]; again(); })));
    if (settings.contacts) {
        const box = element("input", {type: "checkbox", checked: picture.lines, onchange: () => { picture.lines = box.checked; again(); }});
        const slider = element("input", {type: "range", min: 0, max: 100, value: 100 * (1 + Math.log10(picture.threshold) / DECADES),
                                         "aria-label": "smallest force of a line", oninput: () => {
                                             picture.threshold = 10 ** (DECADES * (slider.value / 100 - 1));
                                             again();
                                         }});
        player.options.append(labelled("Force lines", box), labelled("from", slider), note);
    }
    picture.legend = () => {
        const q = settings.quantities[picture.quantity], top = picture.topValue(), text = v => q.linear ? String(Math.round(v)) : withPrefix(v, q.unit);
        const middle = q.signed ? 0 : q.linear ? top / 2 : top / 4;
        scale.replaceChildren(element("span", {}, text(q.signed ? -top : 0)), element("span", {class: "gradient", style: `background: ${gradient(q.signed)}`}),
                              element("span", {}, text(top)));
        scale.title = `the middle colour: ${text(middle)}`;
        if (settings.contacts) {
            const largest = settings.contacts.largest * (picture.forceScale(player.frame).top / 255) ** 2;
            note.textContent = picture.lines ? `${withPrefix(picture.threshold * largest, "N")}, ${Number((100 * picture.threshold).toPrecision(2))} % of the largest: ${picture.drawnLines} lines` : "";
        }
    };
    player.draw();
    return player;
}
