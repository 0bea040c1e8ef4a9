import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint, Service } from '../../shared/http/endpoint.ts';
import type { Operation } from '../../shared/http/reference/openapi.ts';
import { endpointFiles } from '../build/function-files.ts';

/**
 * A service and its operations, each with the name of its file and the folder that tells its subject.
 * @example const { service, operations } = await operationsOf('documents');
 */
export async function operationsOf(
  name: string,
): Promise<{ readonly service: Service; readonly operations: readonly Operation[] }> {
  const loaded = await Promise.all(
    endpointFiles()
      .filter((file) => file.service === name)
      .map(async (file) => {
        const { handler }: { handler: Endpoint } = await import(pathToFileURL(resolve(file.path)).href);
        const operation = { name: file.name, folder: folderOf(file.path), declaration: handler.declaration };
        return { service: handler.service, operation };
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
