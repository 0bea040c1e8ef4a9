import type { Write } from '../../../../shared/store/write.ts';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import type { SignedDocument } from '../../documents/domain/document.ts';
import { callouts, ownerOf } from './engine.ts';
import { SIGNATURE_COMPLETED } from './render-document.ts';

type Announced = Pick<SignedDocument, 'id'>;

/** The events of signed documents, as writes. None where nobody wants to know. */
export async function announcing(
  application: string,
  signed: readonly Announced[],
): Promise<readonly Write[]> {
  const notices = signed.map(({ id }) => ({ type: SIGNATURE_COMPLETED, subject: id }));
  return (await recording(callouts, ownerOf(application, SIGNATURE_COMPLETED), notices)).writes;
}

/** Whether an application is told of signed documents. */
export const isTold = async (application: string): Promise<boolean> =>
  (await listWebhooks(callouts, ownerOf(application, SIGNATURE_COMPLETED))).length > 0;
