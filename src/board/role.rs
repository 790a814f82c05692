use super::Role;

/// Roles from 0, pawn to king: indices of tables.
#[inline]
pub const fn role_number(role: Role) -> usize {
    role as usize - 1
}
