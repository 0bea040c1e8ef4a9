/** The application or the person behind an accepted credential. */
export type Caller = {
  readonly application: string;
  /** Who is logged in, where it is no application. */
  readonly person?: { readonly id: string; readonly name: string };
  readonly keyId: string;
  readonly permissions: readonly string[];
  /** The values that an operator registered for it, by kind. */
  readonly registered: Readonly<Record<string, readonly string[]>>;
};
