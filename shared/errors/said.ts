/** A sentence as it is stored: the code of its row, and the values in it, which may be sentences. */
export type Said = { readonly code: string; readonly values?: Readonly<Record<string, SaidValue>> };

export type SaidValue = string | number | Said;
