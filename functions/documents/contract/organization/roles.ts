/** The roles of members, the mightiest first. Beside members.ts: every function has the table of roles, and few its shapes. */
export const ROLES = ['Owner', 'Manager', 'Member', 'Reader'] as const;
