"""The kernels of peer_warp.py: `hang`, 16 cables a thread, and the stages of `pile`, a segment a thread."""
import warp as wp

wp.config.log_level = wp.LOG_ERROR
wp.config.enable_backward = False
wp.init()

LANES = 16
lanes = wp.types.vector(LANES, wp.float32)
wp.set_module_options({"fast_math": True})


# --- hang: 16 cables a thread

@wp.func
def root(a: lanes):
    r = lanes()
    for j in range(LANES):
        r[j] = wp.sqrt(a[j])
    return r


@wp.func
def load(array: wp.array2d(dtype=lanes), c: int, k: int):
    return array[c, k], array[c, k + 1], array[c, k + 2]


@wp.func
def moved(a: lanes, b: lanes, c: lanes, weight: float, x: lanes, y: lanes, z: lanes):
    return a + weight * x, b + weight * y, c + weight * z


@wp.func
def end(x: wp.array2d(dtype=lanes), v: wp.array2d(dtype=lanes), c: int, k: int, h: float, ox: lanes, oy: lanes, oz: lanes):
    """A particle ends its substep with this offset."""
    x[c, k] += ox
    x[c, k + 1] += oy
    x[c, k + 2] += oz
    v[c, k] = ox / h
    v[c, k + 1] = oy / h
    v[c, k + 2] = oz / h


@wp.kernel
def hang_frame(first: int, x: wp.array2d(dtype=lanes), v: wp.array2d(dtype=lanes), n: int, substeps: int, h: float,
               fall: float, rest: float, w_inner: float, w_end: float, bend: float):
    """All substeps of a frame. Coordinate k of particle i lies in column 3 i + k.

    1 is the particle the sweep has come to, 2 and 3 are those it comes from; a, b, c their offsets, d and e the
    segments 1-2 and 2-3 with offsets. `fall` is the velocity that gravity adds, `bend` l^3 / (EI h^2)."""
    c = wp.tid() + first
    down = lanes(fall)
    for s in range(substeps):
        k = 3 * (n - 1)
        x2, y2, z2 = load(x, c, k)
        a2 = h * v[c, k]
        b2 = h * v[c, k + 1]
        c2 = h * (v[c, k + 2] + down)
        a3 = a2
        b3 = b2
        c3 = c2
        w2 = w_end
        w3 = float(0.0)
        ex = lanes()
        ey = lanes()
        ez = lanes()
        for r in range(n - 1):
            k = 3 * (n - 2 - r)
            w1 = w_inner
            step = h
            if k == 0:
                w1 = 0.0
                step = 0.0
            x1, y1, z1 = load(x, c, k)
            a1 = step * v[c, k]
            b1 = step * v[c, k + 1]
            c1 = step * (v[c, k + 2] + down)
            dx = (x2 - x1) + (a2 - a1)
            dy = (y2 - y1) + (b2 - b1)
            dz = (z2 - z1) + (c2 - c1)
            x2 = x1
            y2 = y1
            z2 = z1
            # length
            q = root(wp.cw_mul(dx, dx) + wp.cw_mul(dy, dy) + wp.cw_mul(dz, dz))
            for j in range(LANES):
                q[j] = (1.0 - rest / q[j]) / (w1 + w2)
            tx = wp.cw_mul(q, dx)
            ty = wp.cw_mul(q, dy)
            tz = wp.cw_mul(q, dz)
            a1, b1, c1 = moved(a1, b1, c1, w1, tx, ty, tz)
            a2, b2, c2 = moved(a2, b2, c2, -w2, tx, ty, tz)
            dx, dy, dz = moved(dx, dy, dz, -(w1 + w2), tx, ty, tz)
            if r > 0:
                # bending; the length has just moved particle 2, and with it e
                f = 1.0 / (w1 + 4.0 * w2 + w3 + bend)
                tx = f * (dx - ex - w2 * tx)
                ty = f * (dy - ey - w2 * ty)
                tz = f * (dz - ez - w2 * tz)
                u = 2.0 * w2
                a1, b1, c1 = moved(a1, b1, c1, w1, tx, ty, tz)
                a2, b2, c2 = moved(a2, b2, c2, -u, tx, ty, tz)
                dx, dy, dz = moved(dx, dy, dz, -(w1 + u), tx, ty, tz)
                a3, b3, c3 = moved(a3, b3, c3, w3, tx, ty, tz)
                end(x, v, c, k + 6, h, a3, b3, c3)
            ex, ey, ez = dx, dy, dz
            a3, b3, c3 = a2, b2, c2
            w3 = w2
            a2 = a1
            b2 = b1
            c2 = c1
            w2 = w1
        end(x, v, c, 3, h, a3, b3, c3)


# --- pile: a segment a thread

ROOM = 48  # candidates a segment
MEETINGS = 12  # contacts a segment


@wp.struct
class Contact:
    """A contact as one of its two segments sees it, 48 bytes: half a line of cache."""
    other: int
    place: wp.vec2  # on this segment, on the other
    normal: wp.vec3  # towards this segment
    gap: float
    share: float
    push: float
    rub: wp.vec3


@wp.struct
class State:
    """What the kernels share. Particle i of a cable starts segment i; `n` particles a cable."""
    n: int
    h: float
    fall: float
    rest: float
    radius: float
    friction: float
    bend: float
    w_inner: float
    w_end: float
    x: wp.array(dtype=wp.vec3)
    v: wp.array(dtype=wp.vec3)
    d: wp.array(dtype=wp.vec3)  # offset within the substep
    listed: wp.array(dtype=wp.vec3)  # x when the lists were made
    floor: wp.array(dtype=float)  # normal correction by the floor so far
    candidates: wp.array(dtype=int)
    candidate: wp.array2d(dtype=int)
    room: wp.array2d(dtype=float)  # the candidate's gap when listed
    contacts: wp.array(dtype=int)
    contact: wp.array2d(dtype=Contact)
    crowd: wp.array(dtype=wp.vec2)  # weights of the segment's contacts on its two particles
    shift_a: wp.array(dtype=wp.vec3)
    shift_b: wp.array(dtype=wp.vec3)


@wp.func
def weight(p: State, i: int):
    """Inverse mass of particle i of its cable."""
    w = p.w_inner
    if i == 0 or i == p.n - 1:
        w = p.w_end
    return w


@wp.func
def closest(p1: wp.vec3, q1: wp.vec3, p2: wp.vec3, q2: wp.vec3):
    d1 = q1 - p1
    d2 = q2 - p2
    r = p1 - p2
    a = wp.dot(d1, d1)
    e = wp.dot(d2, d2)
    f = wp.dot(d2, r)
    b = wp.dot(d1, d2)
    c = wp.dot(d1, r)
    det = a * e - b * b
    s = float(0.5)
    if det > 1.0e-5 * a * e:
        s = wp.clamp((b * f - c * e) / det, 0.0, 1.0)
    t = (b * s + f) / e
    if t < 0.0:
        t = 0.0
        s = wp.clamp(-c / a, 0.0, 1.0)
    elif t > 1.0:
        t = 1.0
        s = wp.clamp((b - c) / a, 0.0, 1.0)
    return wp.vec2(s, t)


@wp.kernel
def middles(first: int, p: State, middle: wp.array(dtype=wp.vec3)):
    s = wp.tid() + first
    a = s + s / (p.n - 1)
    middle[s] = 0.5 * (p.x[a] + p.x[a + 1])
    p.listed[a] = p.x[a]
    p.listed[a + 1] = p.x[a + 1]


@wp.kernel
def find(first: int, p: State, grid: wp.uint64, middle: wp.array(dtype=wp.vec3), reach: float, near: float, apart: int):
    s = wp.tid() + first
    cable = s / (p.n - 1)
    a = s + cable
    count = int(0)
    for o in wp.hash_grid_query(grid, middle[s], reach):
        other = o / (p.n - 1)
        if other == cable and wp.abs(o - s) < apart:
            continue
        if wp.length_sq(middle[o] - middle[s]) > reach * reach:
            continue
        b = o + other
        st = closest(p.x[a], p.x[a + 1], p.x[b], p.x[b + 1])
        gap = wp.lerp(p.x[a], p.x[a + 1], st[0]) - wp.lerp(p.x[b], p.x[b + 1], st[1])
        if wp.length_sq(gap) < near * near:
            if count < ROOM:
                p.candidate[s, count] = o
                p.room[s, count] = wp.length(gap) - 2.2 * p.radius
            count += 1
    p.candidates[s] = count


@wp.kernel
def move(first: int, p: State, backwards: int):
    """Prediction, lengths and bending, in one sweep over a cable."""
    c = wp.tid() + first
    base = c * p.n
    way = int(1)
    if backwards == 1:
        base += p.n - 1
        way = -1
    down = wp.vec3(0.0, 0.0, p.fall)
    a2 = p.h * (p.v[base] + down)
    x2 = p.x[base]
    a3 = a2
    e = wp.vec3()
    w2 = p.w_end
    w3 = float(0.0)
    for r in range(1, p.n):
        i = base + way * r
        x1 = p.x[i]
        a1 = p.h * (p.v[i] + down)
        w1 = weight(p, r)
        d = (x2 - x1) + (a2 - a1)
        x2 = x1
        t = ((1.0 - p.rest / wp.length(d)) / (w1 + w2)) * d
        a1 += w1 * t
        a2 -= w2 * t
        d -= (w1 + w2) * t
        if r > 1:
            t = (d - e - w2 * t) / (w1 + 4.0 * w2 + w3 + p.bend)
            a1 += w1 * t
            a2 -= (2.0 * w2) * t
            a3 += w3 * t
            d -= (w1 + 2.0 * w2) * t
            p.d[i - 2 * way] = a3
        e = d
        a3 = a2
        w3 = w2
        a2 = a1
        w2 = w1
    last = base + way * (p.n - 1)
    p.d[last - way] = a3
    p.d[last] = a2
    for i in range(p.n):
        p.floor[c * p.n + i] = 0.0


@wp.kernel
def touch(first: int, p: State, step: float, away: wp.array(dtype=float)):
    """The contacts of a segment in this substep, at the predicted places. A pair whose gap cannot have closed since it
    was listed is passed over; `step` is what the two may come nearer in this substep."""
    s = wp.tid() + first
    a = s + s / (p.n - 1)
    wide = 2.2 * p.radius
    gone = step + wp.max(away[a], away[a + 1])
    count = int(0)
    crowd = wp.vec2()
    for k in range(p.candidates[s]):
        o = p.candidate[s, k]
        b = o + o / (p.n - 1)
        if p.room[s, k] > gone + wp.max(away[b], away[b + 1]):
            continue
        p1 = p.x[a] + p.d[a]
        q1 = p.x[a + 1] + p.d[a + 1]
        p2 = p.x[b] + p.d[b]
        q2 = p.x[b + 1] + p.d[b + 1]
        # pairs are the same from both sides, to the last bit
        st = wp.vec2()
        if s < o:
            st = closest(p1, q1, p2, q2)
        else:
            ts = closest(p2, q2, p1, q1)
            st = wp.vec2(ts[1], ts[0])
        n = wp.lerp(p1, q1, st[0]) - wp.lerp(p2, q2, st[1])
        distance = wp.length(n)
        if distance < wide and distance > 0.0:
            moved = wp.lerp(p.d[a], p.d[a + 1], st[0]) - wp.lerp(p.d[b], p.d[b + 1], st[1])
            if count < MEETINGS:
                m = Contact()
                m.other = o
                m.place = st
                m.normal = n / distance
                m.gap = distance - 2.0 * p.radius - wp.dot(n, moved) / distance
                p.contact[s, count] = m
            crowd += wp.vec2(1.0 - st[0], st[0])
            count += 1
    p.contacts[s] = wp.min(count, MEETINGS)
    if count > MEETINGS:
        p.candidates[s] = ROOM + 1
    p.crowd[s] = crowd


@wp.func
def crowds(p: State, s: int):
    """How crowded the busier of the two particles of a segment is, by both their segments' contacts."""
    i = s % (p.n - 1)
    a = p.crowd[s][0]
    b = p.crowd[s][1]
    if i > 0:
        a += p.crowd[s - 1][1]
    if i < p.n - 2:
        b += p.crowd[s + 1][0]
    return wp.max(a, b)


@wp.kernel
def solve(first: int, p: State, over: float):
    s = wp.tid() + first
    i = s % (p.n - 1)
    a = s + s / (p.n - 1)
    wa = weight(p, i)
    wb = weight(p, i + 1)
    shift_a = wp.vec3()
    shift_b = wp.vec3()
    for k in range(p.contacts[s]):
        m = p.contact[s, k]
        o = m.other
        b = o + o / (p.n - 1)
        st = m.place
        n = m.normal
        slip = wp.lerp(p.d[a], p.d[a + 1], st[0]) - wp.lerp(p.d[b], p.d[b + 1], st[1])
        along = wp.dot(n, slip)
        if m.push == 0.0 and m.gap + along >= 0.0:
            continue
        u = 1.0 - st[0]
        share = m.share
        if share == 0.0:
            j = o % (p.n - 1)
            t = 1.0 - st[1]
            w = u * u * wa + st[0] * st[0] * wb + t * t * weight(p, j) + st[1] * st[1] * weight(p, j + 1)
            share = 1.0 / (w * wp.max(1.0, wp.max(crowds(p, s), crowds(p, o))))
            p.contact[s, k].share = share
        push = wp.max(0.0, m.push - over * share * (m.gap + along))
        rub = m.rub - share * (slip - along * n)
        size = wp.length(rub)
        if size > p.friction * push:
            rub *= p.friction * push / size
        f = (push - m.push) * n + rub - m.rub
        p.contact[s, k].push = push
        p.contact[s, k].rub = rub
        shift_a += (wa * u) * f
        shift_b += (wb * st[0]) * f
    p.shift_a[s] = shift_a
    p.shift_b[s] = shift_b


@wp.kernel
def gather(first: int, p: State, last: int, drift: wp.vec3, away: wp.array(dtype=float)):
    """What a particle's two segments found, then the floor; after the last pass position and velocity."""
    q = wp.tid() + first
    c = q / p.n
    i = q % p.n
    s = q - c
    d = p.d[q]
    if i > 0:
        d += p.shift_b[s - 1]
    if i < p.n - 1:
        d += p.shift_a[s]
    deep = p.radius - p.x[q][2] - d[2]
    push = wp.max(-p.floor[q], deep)
    if push != 0.0:
        d += wp.vec3(0.0, 0.0, push)
        p.floor[q] += push
    slide = wp.vec3(d[0], d[1], 0.0)
    size = wp.length(slide)
    bound = p.friction * wp.max(push, 0.0)
    if bound > 0.0:
        d -= slide * wp.min(1.0, bound / wp.max(size, 1.0e-20))
    p.d[q] = d
    if last == 1:
        x = p.x[q] + d
        p.x[q] = x
        p.v[q] = d / p.h
        away[q] = wp.length(x - p.listed[q] - drift)
