#include "subjects/mechanism/mechanism_shape_table.hpp"

#include "base/csv_rows.hpp"

#include <sstream>
#include <utility>

namespace beadwave::io {
namespace {

using namespace mechanism::shapes;

Table<Circle> circle_rows() {
    Table<Circle> t;
    t.add("centre", vector2("m").needed(), &Circle::centre, "centre");
    return t.add("radius", above_zero("m").needed(), &Circle::radius, "radius");
}

Table<Arc> arc_rows() {
    Table<Arc> t;
    t.add("centre", vector2("m").needed(), &Arc::centre, "centre of its circle");
    t.add("radius", above_zero("m").needed(), &Arc::radius, "radius");
    t.add("from_angle", any_number("rad").needed(), &Arc::from_angle,
          "direction of its first end, seen from the centre");
    t.add("to_angle", any_number("rad").ranges("above `from_angle`, by 2 pi at most").needed(),
          &Arc::to_angle, "direction of its other end; the arc is anticlockwise");
    return t.add("side", words({"outside", "inside"}), &Arc::side,
                 "outside: the round face of a body, convex; beyond its ends there is nothing. "
                 "inside: a socket, concave; its ends touch, too");
}

Table<Segment> segment_rows() {
    Table<Segment> t;
    t.add("from", vector2("m").needed(), &Segment::from, "one end");
    t.add("to", vector2("m").needed(), &Segment::to, "the other end");
    return t.add("end_radius", from_zero("m"), &Segment::radius,
                 "half its thickness, and radius of its ends. It is touched from both sides");
}

Table<Polygon> polygon_rows() {
    Table<Polygon> t;
    Key corners = named("corners", any_number("m"), "corners of a convex polygon, in order");
    corners.kind = Kind::points;
    t.add(std::move(corners.needed().expects("a list of points [x, y], in m")), &Polygon::corners);
    return t.add("corner_radius", above_zero("m").needed(), &Polygon::corner_radius,
                 "radius of the arcs that round its corners off");
}

Table<Ellipse> ellipse_rows() {
    Table<Ellipse> t;
    t.add("centre", vector2("m").needed(), &Ellipse::centre, "centre");
    Key axes = named("semi_axes", above_zero("m"), "the two semi-axes")
                   .ranges("two numbers above 0")
                   .expects("two semi-axes, each a number above 0, in m")
                   .needed();
    axes.kind = Kind::numbers;
    t.add(std::move(axes), &Ellipse::semi_axes);
    return t.add("angle", any_number("rad"), &Ellipse::angle, "direction of the first semi-axis");
}

Table<ClosedCurve> closed_curve_rows() {
    Table<ClosedCurve> t;
    t.row(named("file", of(Kind::file).needed("the path of a CSV file with columns x_m and y_m"),
                "points of a closed curve in order, columns `x_m` and `y_m`; a periodic cubic "
                "spline joins them"),
          [](const TomlTable& table, const Key& key, ClosedCurve& curve, Reading& reading) {
              if (!table.has(key.name)) table.fail(key.name, "missing; give " + key.wanted());
              const NamedFile file = reading.files.read(table, key.name);
              std::istringstream text(file.text);
              CsvRows rows(text, file.name, {"x_m", "y_m"}, OtherColumns::refused);
              while (rows.next()) {
                  const auto x = rows.number(0), y = rows.number(1);
                  if (!x || !y) rows.fail("needs an x and a y");
                  curve.points.push_back({*x, *y});
              }
          });
    t.add("centre", vector2("m").otherwise("`[0.0, 0.0]`"), &ClosedCurve::centre,
          "where the origin of the points is");
    return t.add("angle", any_number("rad"), &ClosedCurve::angle, "direction of their x-axis");
}

}  // namespace

Table<ReadShape> shape_table() {
    Table<ReadShape> t;
    return t.choose(
        named("shape",
              words({"circle", "arc", "segment", "polygon", "ellipse", "closed-curve"}).needed(),
              "outline of the body, in the frame of the ground at the start"),
        &ReadShape::shape, circle_rows(), arc_rows(), segment_rows(), polygon_rows(),
        ellipse_rows(), closed_curve_rows());
}

}  // namespace beadwave::io
