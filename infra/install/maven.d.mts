export function fetchFromMaven(files: Readonly<Record<string, string>>, folder: string): Promise<void>;
