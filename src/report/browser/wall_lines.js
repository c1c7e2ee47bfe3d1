// Outlines of walls in space: lines that move and turn with their walls (wall_outlines.py).

// A vector turned by an angle about an axis of length 1.
function turnedAbout(axis, angle, v) {
    if (angle === 0) return v;
    const c = Math.cos(angle), s = Math.sin(angle), [a, b, d] = axis, [x, y, z] = v, along = (1 - c) * (a * x + b * y + d * z);
    return [c * x + s * (b * z - d * y) + along * a, c * y + s * (d * x - a * z) + along * b, c * z + s * (a * y - b * x) + along * d];
}

function drawWallLines(context, picture, frame) {
    const {walls} = picture.settings, {view} = picture;
    if (!walls || !walls.lines) return;
    const points = walls.point[Math.min(frame, walls.point.length - 1)];
    context.globalAlpha = 0.5;
    walls.lines.forEach((lines, w) => {
        const axis = walls.normal[w], angle = walls.spin ? walls.spin[w] * picture.times[frame] : 0;
        context.beginPath();
        for (let k = 0; k < lines.length; k += 3) {
            const end = turnedAbout(axis, angle, [lines[k], lines[k + 1], lines[k + 2]]).map((x, i) => x + points[w][i]);
            const [x, y] = view.at(...end);
            if (k % 6 === 0) context.moveTo(x, y);
            else context.lineTo(x, y);
        }
        context.stroke();
    });
    context.globalAlpha = 1;
}
