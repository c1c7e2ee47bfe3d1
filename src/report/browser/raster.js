// Draws discs (plane) and shaded spheres (space) into pixels, without WebGL. In space a depth per pixel decides what is in front, so
// spheres that overlap cut each other as they should, and no order is needed.

class Raster {
    constructor() {
        this.width = this.height = 0;
    }

    resize(width, height) {
        if (width === this.width && height === this.height) return;
        this.width = width;
        this.height = height;
        this.image = new ImageData(width, height);
        this.pixels = new Uint32Array(this.image.data.buffer);
        this.depth = new Float32Array(width * height);
    }

    clear(inSpace) {
        this.pixels.fill(0);
        if (inSpace) this.depth.fill(-Infinity);
    }

    // A disc with a darker rim. Centre and radius in pixels; colour [r, g, b].
    disc(x, y, radius, colour) {
        const {pixels, width, height} = this;
        const plain = pixel(colour, 1), rim = radius > 4 ? pixel(colour, 0.6) : plain, inner = Math.max(radius - 1.3, 0) ** 2;
        if (radius < 0.75) {
            const i = Math.floor(x), j = Math.floor(y);
            if (i >= 0 && i < width && j >= 0 && j < height) pixels[j * width + i] = plain;
            return;
        }
        const top = Math.max(0, Math.ceil(y - radius - 0.5)), bottom = Math.min(height - 1, Math.floor(y + radius - 0.5));
        for (let j = top; j <= bottom; j++) {
            const dy = j + 0.5 - y, half = Math.sqrt(Math.max(0, radius * radius - dy * dy));
            const left = Math.max(0, Math.ceil(x - half - 0.5)), right = Math.min(width - 1, Math.floor(x + half - 0.5));
            for (let i = left; i <= right; i++) {
                const dx = i + 0.5 - x;
                pixels[j * width + i] = dx * dx + dy * dy > inner ? rim : plain;
            }
        }
    }

    // A sphere lit from the upper left; z: towards the eye, in pixels.
    sphere(x, y, z, radius, colour) {
        const {pixels, depth, width, height} = this;
        const r2 = radius * radius, inverse = 1 / radius, [red, green, blue] = colour;
        if (radius < 0.75) {
            const i = Math.floor(x), j = Math.floor(y), at = j * width + i;
            if (i >= 0 && i < width && j >= 0 && j < height && z + radius > depth[at]) {
                depth[at] = z + radius;
                pixels[at] = pixel(colour, 0.9);
            }
            return;
        }
        const top = Math.max(0, Math.ceil(y - radius - 0.5)), bottom = Math.min(height - 1, Math.floor(y + radius - 0.5));
        for (let j = top; j <= bottom; j++) {
            const dy = j + 0.5 - y, rest = r2 - dy * dy;
            if (rest <= 0) continue;
            const half = Math.sqrt(rest);
            const left = Math.max(0, Math.ceil(x - half - 0.5)), right = Math.min(width - 1, Math.floor(x + half - 0.5));
            for (let i = left, at = j * width + left; i <= right; i++, at++) {
                const dx = i + 0.5 - x, up = Math.sqrt(Math.max(0, rest - dx * dx));
                if (z + up <= depth[at]) continue;
                depth[at] = z + up;
                const light = Math.max(0, (-0.4 * dx - 0.5 * dy + 0.77 * up) * inverse), shade = 0.42 + 0.62 * light;
                const r = Math.min(255, red * shade), g = Math.min(255, green * shade), b = Math.min(255, blue * shade);
                pixels[at] = (255 << 24) | (b << 16) | (g << 8) | r;
            }
        }
    }

    show(context) {
        context.putImageData(this.image, 0, 0);
    }
}

function pixel([red, green, blue], shade) {
    return ((255 << 24) | (Math.round(blue * shade) << 16) | (Math.round(green * shade) << 8) | Math.round(red * shade)) >>> 0;
}
