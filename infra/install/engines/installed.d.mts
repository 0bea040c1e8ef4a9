export type EngineOfCatalog = {
  readonly version: string;
  readonly serves: readonly string[];
  readonly needs: string;
};
export const ENGINES: Readonly<Record<string, EngineOfCatalog>>;
export function engineFolder(name: string): string;
export function markOf(name: string): string;
export function isEngineInstalled(name: string): boolean;
