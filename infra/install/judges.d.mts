export const DSS: string | undefined;
export const PYHANKO: string | undefined;
export const JUDGES: readonly { readonly command: string; readonly use: string; isThere(): boolean }[];
