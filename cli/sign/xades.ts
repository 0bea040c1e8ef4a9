import { readFileSync } from 'node:fs';
import { signXades } from '../../shared/signing/xades/sign.ts';
import type { Job, Signed } from './job.ts';

export async function* signAsXades({ options, key, common }: Job): Signed {
  const element = options.element === undefined ? {} : { element: { id: options.element } };
  const leaveRoom = options['leave-room'];
  yield await signXades(readFileSync(options.file), key, { ...common, ...element, leaveRoom });
}
