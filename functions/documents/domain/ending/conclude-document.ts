import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { settings } from '../../settings.ts';
import { changeDocument } from '../document/change-document.ts';
import { documentItems } from '../document/document.ts';
import { documentStates } from '../document/document-states.ts';
import { refuseUnlessWhole } from './integrity.ts';

/**
 * The last step of a flow in which everyone has acted: the file is held against what was recorded, and its owner is
 * told. A flow of approvals alone has nothing to hold. It may come twice.
 */
export const concludeDocument = (documentId: string, nowMs = Date.now()) =>
  retryOnConflict(async (): Promise<'concluded' | 'not-due'> => {
    const document = await documentItems.get(documentId);
    if (!document || !documentStates.allows(document.state, 'concluded')) return 'not-due';
    await refuseUnlessWhole(document);
    await changeDocument(document, {
      event: 'concluded',
      notices: [
        {
          type: 'DocumentConcluded',
          extra: {},
          delaySeconds: settings.DocumentConcludedWebhookDelayInSeconds,
        },
      ],
      nowMs,
    });
    return 'concluded';
  });
