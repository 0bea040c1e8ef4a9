import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parse } from 'yaml';

type Event = {
  readonly http?: {
    readonly path: string;
    readonly method: string;
    readonly response?: { readonly transferMode?: string };
  };
  readonly sqs?: object;
  readonly schedule?: unknown;
};

/** A function as `functions.yml` declares it. */
export type DeclaredFunction = {
  readonly key: string;
  readonly service: string;
  /** `session/get-status` */
  readonly name: string;
  readonly handler: string;
  readonly timeout?: number;
  readonly role?: string;
  readonly recursiveLoop?: string;
  readonly events: readonly Event[];
};

// Read once: the rules of a service ask for every function, for each service.
let declared: readonly DeclaredFunction[] | undefined;

export function declaredFunctions(): readonly DeclaredFunction[] {
  declared ??= readFunctions();
  return declared;
}

const readFunctions = (): DeclaredFunction[] =>
  globSync('functions/*/functions.yml').flatMap((path) => {
    const service = basename(dirname(path));
    const functions: Record<string, Omit<DeclaredFunction, 'key' | 'service' | 'name'>> = parse(
      readFileSync(path, 'utf8'),
    );
    return Object.entries(functions).map(([key, declared]) => ({
      ...declared,
      key,
      service,
      name: declared.handler.replace(/^dist\//, '').replace(/\.handler$/, ''),
    }));
  });
