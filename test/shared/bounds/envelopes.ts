import { buffer } from 'node:stream/consumers';
import { berToDer } from '../../../shared/der/ber.ts';
import { sealForRecipients } from '../../../shared/signing/encryption/enveloped.ts';
import { openEnveloped } from '../../../shared/signing/encryption/open-enveloped.ts';
import { pki } from '../signing/cms/fixtures.ts';
import { hostileDer } from './der-shapes.ts';

const holder = pki.holder();
const sealed = await buffer(sealForRecipients(Buffer.from('content'), [holder.certificate]));
const envelope = Buffer.from(berToDer(sealed));

export const honest = (): Buffer => envelope;
export const cases = () => hostileDer(envelope, 1_000_000, 5);

export const read = (bytes: Buffer): Promise<unknown> => buffer(openEnveloped(bytes, holder));
