/** Packages that the client of a language needs. */
export type ClientPackages = { readonly tool: string; readonly use: string; readonly place: string };

export const MAVEN: string;
export const VENV: string;
export const GO_ENV: Readonly<Record<string, string>>;
export const CLIENT_PACKAGES: readonly ClientPackages[];
export function isComplete(packages: ClientPackages): boolean;
