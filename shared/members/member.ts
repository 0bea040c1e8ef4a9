/** A person who works for an organization. */
export type Member<Role extends string = string> = {
  /** Another one when somebody who was removed is invited again: sessions are of an id. */
  readonly id: string;
  readonly name: string;
  /** In lower case. No two members of an organization have the same. */
  readonly email: string;
  readonly cpf: string | null;
  readonly role: Role;
  readonly invitedAtMs: number;
};

/** How somebody proved who they are when they logged in. */
export type Identity = { readonly kind: 'email' | 'cpf'; readonly value: string };

/** An address as members are found by it. @example emailOf(' Ana@Example.com ') // 'ana@example.com' */
export const emailOf = (text: string): string => text.trim().toLowerCase();

/** Whether an identity is of a member. */
export const isOf =
  ({ kind, value }: Identity) =>
  (member: Pick<Member, 'email' | 'cpf'>): boolean =>
    member[kind] === value;
