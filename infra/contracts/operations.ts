import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint, Service } from '../../shared/http/endpoint.ts';
import type { Operation } from '../../shared/http/reference/openapi.ts';
import { endpointFiles } from '../build/function-files.ts';

/** An operation with its source. */
export type LocatedOperation = Operation & { readonly path: string };

/**
 * A service and its operations, each with its file, the name of the file and the folder that tells its subject.
 * @example const { service, operations } = await operationsOf('documents');
 */
export async function operationsOf(
  name: string,
): Promise<{ readonly service: Service; readonly operations: readonly LocatedOperation[] }> {
  const loaded = await Promise.all(
    endpointFiles()
      .filter((file) => file.service === name)
      .map(async (file) => {
        const { handler }: { handler: Endpoint } = await import(pathToFileURL(resolve(file.path)).href);
        const { service, declaration } = handler;
        const { name, path } = file;
        return { service, operation: { name, path, folder: folderOf(path), declaration } };
      }),
  );
  const [first] = loaded;
  if (!first) throw new Error(`functions/${name}/endpoints holds no endpoint.`);
  return { service: first.service, operations: loaded.map(({ operation }) => operation) };
}

// functions/documents/endpoints/signing/start-signature.ts: signing. functions/pki/biometrics/endpoints/…: biometrics.
const folderOf = (path: string): string | undefined =>
  path
    .split('/')
    .slice(2, -1)
    .find((part) => part !== 'endpoints');
