/** An error of a store by the name that AWS gives it, with what AWS tells beside the message. */
export class StoreError extends Error {
  override readonly name: string;
  /** The HTTP status that it has on AWS. */
  readonly status: number;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(name: string, message: string, more: Readonly<Record<string, unknown>> = {}, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
    this.more = more;
  }
}
