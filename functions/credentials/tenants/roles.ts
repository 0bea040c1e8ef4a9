/** The roles of members, the mightiest first. */
export const ROLES = ['Administrador', 'Registrar', 'Reader'] as const;
export type Role = (typeof ROLES)[number];
