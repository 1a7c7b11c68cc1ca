"""Contact sensors: contacts that involve given objects, sorted or summed, as slots of selected fields."""

from ..dynamics.objects import GEOM, SITE, XBODY, contact_wrench, head3, tail3
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.vec import add3, add_scaled3, cross3, dot3, mat_t_vec3, mat_vec3, norm3, scale3, sub3
from ..tables.consts import mjMINVAL
from .catalog import CONTACT_FIELDS
from .common import BODY, UNKNOWN, clear_sensor
from .zones import inside

FOUND, FORCE, TORQUE, DIST, POS, NORMAL, TANGENT, LINVEL, ANGVEL = (1 << k for k in range(len(CONTACT_FIELDS)))
# Ways to assign matching contacts to slots: in order of detection, nearest first, strongest first, or all summed.
NONE, MIN_DIST, MAX_FORCE, NET_FORCE = range(4)


@stage("vMDi")
def sensor_contact(m, d, i):
    """reads contacts, efc_force, cvel; writes sensordata of a contact sensor, without cutoff."""
    clear_sensor(m, d, i)
    found = 0
    for k in range(d.ncon):
        if match(m, d, i, k) != 0:
            found += 1
    if m.sensor_intprm[i, 1] == NET_FORCE:
        net_force(m, d, i, found)
    elif found:
        fill_slots(m, d, i, found)


@inline
def involves(m, kind, i, body, geom):
    """Return whether one side of a contact belongs to object i. True for sites, because `match` has tested the contact
    position."""
    if kind == UNKNOWN or kind == SITE:
        return True
    if kind == GEOM:
        return i == geom
    if kind == BODY:
        return i == body
    if kind == XBODY:
        # For a subtree, climb until the object cannot be an ancestor.
        while body > i:
            body = m.body_parentid[body]
        return body == i
    return False


@kernel
def match(m, d, i, k):
    """Return 1 if contact k matches sensor i, -1 if it matches with its normal reversed, 0 if it does not match."""
    kind1, kind2, id1, id2 = m.sensor_objtype[i], m.sensor_reftype[i], m.sensor_objid[i], m.sensor_refid[i]
    if kind1 == UNKNOWN and kind2 == UNKNOWN:
        return 1

    # If the first object is a site, the contact must be in the site's zone.
    if kind1 == SITE:
        pos, mat, size = load(d.site_xpos, id1, 3), load(d.site_xmat, id1, 9), load(m.site_size, id1, 3)
        if not inside(pos, mat, size, m.site_type[id1], load(d.contact_pos, k, 3)):
            return 0

    # Find out which side of the contact belongs to which of the sensor's objects.
    g1, g2 = d.contact_geom[k, 0], d.contact_geom[k, 1]
    b1 = m.geom_bodyid[g1] if g1 >= 0 else -1
    b2 = m.geom_bodyid[g2] if g2 >= 0 else -1
    first1, second1 = involves(m, kind1, id1, b1, g1), involves(m, kind1, id1, b2, g2)
    first2, second2 = involves(m, kind2, id2, b1, g1), involves(m, kind2, id2, b2, g2)
    if not (first1 or second1) or not (first2 or second2):
        return 0

    if kind1 == UNKNOWN:
        return 1 if second2 else -1
    if kind2 == UNKNOWN:
        return 1 if first1 else -1
    if first1 and second2:
        return 1
    return -1 if second1 and first2 else 0


@inline
def criterion(m, d, k, reduce):
    """Return the sort key of a contact; the smallest comes first."""
    if reduce == MIN_DIST:
        return d.contact_dist[k]
    if reduce == MAX_FORCE:
        f = head3(contact_wrench(m, d, k))
        return -dot3(f, f)
    return 0.0


@kernel
def fill_slots(m, d, i, found):
    """Write contacts in ascending order of their sort keys (ties: by index), until slots or contacts are used up."""
    reduce, fields, adr = m.sensor_intprm[i, 1], m.sensor_intprm[i, 0], m.sensor_adr[i]
    end = adr + m.sensor_dim[i]
    last, last_value = -1, 0.0

    # Write the contact with the smallest key among those not written yet.
    for _ in range(found):
        if adr >= end:
            return
        best, best_value = -1, 0.0
        for k in range(d.ncon):
            if match(m, d, i, k) == 0:
                continue
            x = criterion(m, d, k, reduce)
            later = last < 0 or x > last_value or x == last_value and k > last
            if later and (best < 0 or x < best_value):
                best, best_value = k, x
        if best < 0:
            return
        adr = write_slot(m, d, best, match(m, d, i, best) < 0, fields, found, adr)
        last, last_value = best, best_value


@kernel
def write_slot(m, d, k, flip, fields, found, adr):
    """Write the selected fields of contact k, starting at address `adr`; return the address after them.

    With `flip`, normal and first tangent change sign.
    """
    sign = -1.0 if flip else 1.0
    f = contact_wrench(m, d, k)

    if fields & FOUND:
        d.sensordata[adr] = found
        adr += 1
    if fields & FORCE:
        store(d.sensordata, adr, (f[0], f[1], f[2] * sign))
        adr += 3
    if fields & TORQUE:
        store(d.sensordata, adr, (f[3], f[4], f[5] * sign))
        adr += 3
    if fields & DIST:
        d.sensordata[adr] = d.contact_dist[k]
        adr += 1
    if fields & POS:
        store(d.sensordata, adr, load(d.contact_pos, k, 3))
        adr += 3

    # Write directions, and velocities in the contact frame.
    frame = load(d.contact_frame, k, 9)
    if fields & NORMAL:
        store(d.sensordata, adr, scale3((frame[0], frame[1], frame[2]), sign))
        adr += 3
    if fields & TANGENT:
        store(d.sensordata, adr, scale3((frame[3], frame[4], frame[5]), sign))
        adr += 3
    if fields & (LINVEL | ANGVEL):
        linear, angular = relative_velocity(m, d, k)
        if fields & LINVEL:
            v = mat_vec3(frame, linear)
            store(d.sensordata, adr, (v[0], v[1], v[2] * sign))
            adr += 3
        if fields & ANGVEL:
            v = mat_vec3(frame, angular)
            store(d.sensordata, adr, (v[0], v[1], v[2] * sign))
            adr += 3
    return adr


@kernel
def relative_velocity(m, d, k):
    """Return the linear and angular velocity of the second geom's body relative to the first geom's body, at a contact, in the
    world.

    Flexes are treated as being at rest.
    """
    linear = angular = (0.0, 0.0, 0.0)
    point = load(d.contact_pos, k, 3)
    for side in range(2):
        g = d.contact_geom[k, side]
        if g >= 0:
            b, sign = m.geom_bodyid[g], 1.0 if side else -1.0
            speed = load(d.cvel, b, 6)
            turn = head3(speed)
            along = add3(tail3(speed), cross3(turn, sub3(point, load(d.subtree_com, m.body_rootid[b], 3))))
            linear, angular = add_scaled3(linear, along, sign), add_scaled3(angular, turn, sign)
    return linear, angular


@kernel
def net_force(m, d, i, found):
    """Write the total force and torque of all matching contacts, in world directions.

    The torque is about the contacts' mean position, weighted by force.
    """
    point, weights = (0.0, 0.0, 0.0), 0.0
    for k in range(d.ncon):
        if match(m, d, i, k) != 0:
            weight = norm3(head3(contact_wrench(m, d, k)))
            point = add_scaled3(point, load(d.contact_pos, k, 3), weight)
            weights += weight
    point = scale3(point, 1.0 / max(weights, mjMINVAL))

    # Compute the sums about this point.
    force = torque = (0.0, 0.0, 0.0)
    for k in range(d.ncon):
        side = match(m, d, i, k)
        if side == 0:
            continue
        f, frame = contact_wrench(m, d, k), load(d.contact_frame, k, 9)
        push = mat_t_vec3(frame, scale3(head3(f), float(side)))
        force = add3(force, push)
        torque = add3(torque, mat_t_vec3(frame, scale3(tail3(f), float(side))))
        torque = add3(torque, cross3(sub3(load(d.contact_pos, k, 3), point), push))

    # Write the fields that the sensor requests.
    adr, fields = m.sensor_adr[i], m.sensor_intprm[i, 0]
    if fields & FOUND:
        d.sensordata[adr] = found
        adr += 1
    if fields & FORCE:
        store(d.sensordata, adr, force)
        adr += 3
    if fields & TORQUE:
        store(d.sensordata, adr, torque)
        adr += 3
    if fields & DIST:
        d.sensordata[adr] = 0.0
        adr += 1
    if fields & POS:
        store(d.sensordata, adr, point)
        adr += 3
    if fields & NORMAL:
        store(d.sensordata, adr, (1.0, 0.0, 0.0))
        adr += 3
    if fields & TANGENT:
        store(d.sensordata, adr, (0.0, 1.0, 0.0))
