import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * What a service's contract exports, in contract.ts and in the files of contract/. A name stands for one shape.
 * @example const { Upload } = await contractOf('documents');
 */
export async function contractOf(service: string, root = '.'): Promise<Readonly<Record<string, unknown>>> {
  const paths = globSync(`functions/${service}/**/{contract.ts,contract/*.ts}`, { cwd: root }).toSorted();
  const named = new Map<string, { readonly value: unknown; readonly path: string }>();
  for (const path of paths) {
    const exported: Record<string, unknown> = await import(pathToFileURL(resolve(root, path)).href);
    for (const [name, value] of Object.entries(exported)) {
      const other = named.get(name);
      if (other && other.value !== value)
        throw new Error(`${path} and ${other.path} both export ${name}, and it is not the same.`);
      named.set(name, { value, path });
    }
  }
  return Object.fromEntries([...named].map(([name, { value }]) => [name, value]));
}
