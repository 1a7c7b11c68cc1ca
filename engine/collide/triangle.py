"""Collides a sphere, a capsule or a box with a triangle that has a thickness, and a vertex with the plane of three others."""

from ..machine.jit import inline, kernel
from ..math.vec import add3, add_scaled3, cross3, dot3, mat_t_vec3, mat_vec3, scale3, sub3, unit3
from ..tables.consts import mjMINVAL
from .manifold import put


@inline
def turn_sign(px, py, qx, qy, rx, ry):
    """Return the sign of the area of a plane triangle."""
    area = (px - rx) * (qy - ry) - (qx - rx) * (py - ry)
    if area > 0:
        return 1
    return -1 if area < 0 else 0


@inline
def nearest_on_segment(px, py, ux, uy, vx, vy):
    """Return (distance of point p from segment uv, x and y of the nearest point of uv), all in a plane."""
    dx, dy = vx - ux, vy - uy
    a = (dx * (px - ux) + dy * (py - uy)) / max(mjMINVAL, dx * dx + dy * dy)
    if a <= 0:
        x, y = ux, uy
    elif a >= 1:
        x, y = vx, vy
    else:
        x, y = ux + dx * a, uy + dy * a
    return ((x - px) * (x - px) + (y - py) * (y - py)) ** 0.5, x, y


@inline
def foot(s, a, b, n, height):
    """Return the point of the triangle (origin, a, b) that is nearest to the point s at a height along the normal n."""
    p = add_scaled3(s, n, -height)
    # Compute coordinates in the triangle's plane, whose first axis is the triangle's first edge.
    x_axis, ax = unit3(a)
    y_axis, _ = unit3(cross3(n, a))
    bx, by, px, py = dot3(x_axis, b), dot3(y_axis, b), dot3(x_axis, p), dot3(y_axis, p)
    i, j, h = turn_sign(px, py, 0.0, 0.0, ax, 0.0), turn_sign(px, py, ax, 0.0, bx, by), turn_sign(px, py, bx, by, 0.0, 0.0)

    # The nearest point is the foot of the perpendicular, or a point of an edge if the foot is outside.
    nearest = p
    if i != j or j != h:
        d0, x, y = nearest_on_segment(px, py, 0.0, 0.0, ax, 0.0)
        d1, x1, y1 = nearest_on_segment(px, py, ax, 0.0, bx, by)
        d2, x2, y2 = nearest_on_segment(px, py, bx, by, 0.0, 0.0)
        if not (d0 < d1 and d0 < d2):
            x, y = (x1, y1) if d1 < d2 else (x2, y2)
        nearest = add3(scale3(x_axis, x), scale3(y_axis, y))
    return nearest


@inline
def nearest_in_triangle(p, t1, t2, t3):
    """Return the vector from a point to the nearest point of a triangle."""
    s, a, b = sub3(p, t1), sub3(t2, t1), sub3(t3, t1)
    n, _ = unit3(cross3(a, b))
    return sub3(foot(s, a, b, n, dot3(n, s)), s)


@inline
def sphere_triangle(out, k, margin, centre, radius, t1, t2, t3, thickness):
    """Fill a manifold row with the contact of a sphere and a triangle with a thickness."""
    bound = margin + radius + thickness
    s, a, b = sub3(centre, t1), sub3(t2, t1), sub3(t3, t1)
    n, _ = unit3(cross3(a, b))
    height = dot3(n, s)
    if abs(height) > bound:
        return k
    nearest = foot(s, a, b, n, height)
    normal, dist = unit3(sub3(nearest, s))
    if dist > bound:
        return k
    dist = dist - radius - thickness
    return put(out, k, dist, add_scaled3(centre, normal, radius + dist / 2), normal)


@kernel
def capsule_triangle(out, k, margin, centre, axis, size, t1, t2, t3, thickness):
    """Fill manifold rows for a capsule (radius, half-length): its end spheres, then triangle corners beside its cylinder."""
    p, u = add_scaled3(centre, axis, -size[1]), scale3(axis, 2 * size[1])
    end = add_scaled3(centre, axis, size[1])
    k = sphere_triangle(out, k, margin, p, size[0], t1, t2, t3, thickness)
    k = sphere_triangle(out, k, margin, end, size[0], t1, t2, t3, thickness)
    corners = (t1, t2, t3)
    for i in range(3):
        t = dot3(sub3(corners[i], p), u) / (4 * size[1] * size[1])
        if mjMINVAL < t < 1 - mjMINVAL:
            near = add_scaled3(p, u, t)
            normal, far = unit3(sub3(corners[i], near))
            dist = far - size[0] - thickness
            if dist <= margin:
                k = put(out, k, dist, add_scaled3(near, normal, size[0] + 0.5 * dist), normal)
    return k


@kernel
def box_triangle(out, k, margin, pos, mat, size, t1, t2, t3, thickness):
    """Fill manifold rows for a box: triangle corners against the box's nearest face, then box corners against the triangle."""
    corners, reach = (t1, t2, t3), margin + thickness
    for i in range(3):
        at = mat_t_vec3(mat, sub3(corners[i], pos))
        over = (abs(at[0]) - size[0], abs(at[1]) - size[1], abs(at[2]) - size[2])
        far = max(over)
        if far > reach:
            continue
        x = 0 if over[0] == far else 1 if over[1] == far else 2
        sign = 1.0 if at[x] > 0 else -1.0
        normal = (mat[x] * sign, mat[3 + x] * sign, mat[6 + x] * sign)
        dist = far - thickness
        k = put(out, k, dist, add_scaled3(corners[i], normal, -thickness - 0.5 * dist), normal)
    for i in range(8):
        corner = (size[0] if i & 1 else -size[0], size[1] if i & 2 else -size[1], size[2] if i & 4 else -size[2])
        k = sphere_triangle(out, k, margin, add3(mat_vec3(mat, corner), pos), 0.0, t1, t2, t3, thickness)
    return k


@inline
def plane_vertex(out, k, p0, p1, p2, vertex, thickness):
    """Fill a manifold row for a vertex of an inverted tetrahedron, which has passed through the opposite face."""
    n, _ = unit3(cross3(sub3(p1, p0), sub3(p2, p0)))
    height = dot3(sub3(vertex, p0), n)
    if height <= -2 * thickness:
        return k
    return put(out, k, -height - 2 * thickness, add_scaled3(vertex, n, -0.5 * height), scale3(n, -1.0))
