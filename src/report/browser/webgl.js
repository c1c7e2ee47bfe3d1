// Draws many discs or spheres with WebGL 2, where the browser has it. Each is a square of pixels that the graphics processor cuts to a disc;
// the depth of a sphere's surface is set per pixel, as in raster.js. `openWebGL` returns null if something is missing.

const WEBGL_FROM = 20000;  // particles: fewer are as quick without, and look the same everywhere

const VERTEX = `#version 300 es
in vec3 place; in float radius; in float colour;
uniform vec3 low, centre, right, up, eye; uniform float step_, scale; uniform vec2 size, origin; uniform float range;
out float which; out float radiusPixels; out float depth;
void main() {
    vec3 d = low + step_ * place - centre;
    vec2 at = origin + scale * vec2(dot(right, d), -dot(up, d));
    radiusPixels = scale * radius;
    depth = scale * dot(eye, d);
    which = colour;
    gl_Position = vec4(2.0 * at.x / size.x - 1.0, 1.0 - 2.0 * at.y / size.y, -depth / range, 1.0);
    gl_PointSize = max(2.0 * radiusPixels, 1.5);
    if (place.x == 65535.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // not there: outside of what is drawn
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in float which; in float radiusPixels; in float depth;
uniform sampler2D colours; uniform bool planar; uniform float range;
out vec4 result;
void main() {
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float rest = 1.0 - dot(p, p);
    if (rest < 0.0 && radiusPixels > 0.75) discard;
    vec3 colour = texture(colours, vec2((which + 0.5) / 256.0, 0.5)).rgb;
    float out_ = sqrt(max(rest, 0.0));
    float shade = planar ? (radiusPixels > 4.0 && (1.0 - sqrt(1.0 - rest)) * radiusPixels < 1.3 ? 0.6 : 1.0)
                         : 0.42 + 0.62 * max(0.0, dot(vec3(p, out_), vec3(-0.4, -0.5, 0.77)));
    result = vec4(min(colour * shade, 1.0), 1.0);
    gl_FragDepth = planar ? 0.5 : 0.5 - 0.5 * (depth + out_ * radiusPixels) / range;
}`;

function program(gl) {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    return gl.getProgramParameter(made, gl.LINK_STATUS) ? made : null;
}

class WebGLDiscs {
    constructor(gl, used, picture) {
        Object.assign(this, {gl, used, picture, canvas: gl.canvas, frame: -1, lost: false});
        this.largestPoint = gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE)[1];
        this.canvas.addEventListener("webglcontextlost", () => { this.lost = true; });
        gl.useProgram(used);
        const {count, dimension} = picture;
        this.buffers = {};
        const attribute = (name, components, type, data) => {
            const buffer = this.buffers[name] = gl.createBuffer(), at = gl.getAttribLocation(used, name);
            gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
            gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
            gl.enableVertexAttribArray(at);
            gl.vertexAttribPointer(at, components, type, false, 0, 0);
        };
        this.places = new Float32Array(dimension * count);
        attribute("place", dimension, gl.FLOAT, this.places);
        attribute("radius", 1, gl.FLOAT, picture.radius);
        this.indices = new Uint8Array(count);
        attribute("colour", 1, gl.UNSIGNED_BYTE, this.indices);
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
        gl.enable(gl.DEPTH_TEST);
        gl.depthFunc(gl.LEQUAL);
    }

    uniform(name, ...values) {
        this.gl[`uniform${values.length}f`](this.gl.getUniformLocation(this.used, name), ...values);
    }

    // The canvas with the particles; null if this picture cannot be drawn so.
    draw(frame, size, view, index, table) {
        const {gl, picture} = this, {count, dimension, arrays, settings} = picture;
        if (this.lost || 2 * view.scale * picture.largestRadius > this.largestPoint) return null;
        if (this.canvas.width !== size.width || this.canvas.height !== size.height) Object.assign(this.canvas, {width: size.width, height: size.height});
        gl.viewport(0, 0, size.width, size.height);
        if (frame !== this.frame) {
            const base = frame * dimension * count;
            for (let k = 0; k < dimension; k++) {
                for (let i = 0; i < count; i++) this.places[i * dimension + k] = arrays.place[base + k * count + i];
            }
            gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.place);
            gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.places);
            this.frame = frame;
        }
        const values = picture.colours[picture.quantity];
        for (let i = 0; i < count; i++) this.indices[i] = index[values[frame * count + i]];
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.colour);
        gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.indices);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, Uint8Array.from(table.flatMap(colour => [...colour, 255])));
        const [low, centre] = [settings.low, view.centre].map(v => [...v, 0].slice(0, 3));
        this.uniform("low", ...low);
        this.uniform("centre", ...centre);
        ["right", "up", "eye"].forEach((name, k) => this.uniform(name, ...view.rows[k]));
        this.uniform("step_", settings.step);
        this.uniform("scale", view.scale);
        this.uniform("size", size.width, size.height);
        this.uniform("origin", view.x0, view.y0);
        this.uniform("range", view.scale * (Math.hypot(...picture.high.map((high, k) => high - picture.low[k])) + 2 * picture.largestRadius));
        gl.uniform1i(gl.getUniformLocation(this.used, "planar"), dimension === 2 ? 1 : 0);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.drawArrays(gl.POINTS, 0, count);
        return this.canvas;
    }
}

function openWebGL(picture) {
    try {
        const gl = document.createElement("canvas").getContext("webgl2", {antialias: false, preserveDrawingBuffer: true});
        const used = gl && program(gl);
        return used ? new WebGLDiscs(gl, used, picture) : null;
    } catch (error) {
        return null;
    }
}
