// From metres to pixels, orthographic: the plane with pan and zoom, space with rotation and zoom.

class View {
    constructor(low, high, planar) {
        this.planar = planar;
        this.low = low;
        this.high = high;
        this.reset();
    }

    reset() {
        this.zoom = 1;
        this.shift = [0, 0];  // in pixels of the page
        this.azimuth = -0.6;
        this.elevation = 0.35;
    }

    rotate(across, up) {
        this.azimuth += across;
        this.elevation = Math.min(Math.max(this.elevation + up, -Math.PI / 2), Math.PI / 2);
    }

    // The rows of the rotation: to the right, up, towards the eye.
    axes() {
        if (this.planar) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        const [c, s, e, f] = [Math.cos(this.azimuth), Math.sin(this.azimuth), Math.cos(this.elevation), Math.sin(this.elevation)];
        return [[c, s, 0], [-s * f, c * f, e], [s * e, -c * e, f]];
    }

    // For a picture of width x height pixels; `density`: its pixels per pixel of the page.
    fit(width, height, density) {
        const centre = this.low.map((low, k) => 0.5 * (low + this.high[k]));
        const size = this.high.map((high, k) => high - this.low[k]);
        const axes = this.axes();
        const extent = axis => this.planar ? size[axis] :
            size.reduce((sum, s, k) => sum + Math.abs(axes[axis][k]) * s, 0);
        const scale = this.zoom * 0.94 * Math.min(width / (extent(0) || 1e-9), height / (extent(1) || 1e-9));
        Object.assign(this, {scale, rows: axes, x0: width / 2 + this.shift[0] * density, y0: height / 2 + this.shift[1] * density, centre});
        return this;
    }

    // Pixels of a point in metres: right, down, towards the eye.
    at(x, y, z = 0) {
        const [a, b, c] = this.rows, [cx, cy, cz = 0] = this.centre, s = this.scale;
        const dx = x - cx, dy = y - cy, dz = z - cz;
        return [this.x0 + s * (a[0] * dx + a[1] * dy + a[2] * dz), this.y0 - s * (b[0] * dx + b[1] * dy + b[2] * dz),
                s * (c[0] * dx + c[1] * dy + c[2] * dz)];
    }
}
