import * as z from 'zod';
import { webhookModels } from '../../../shared/http/reference/webhooks.ts';
import { DocumentModel } from '../documents/contract.ts';
import { DOCUMENT } from '../examples.ts';

/** The event that an application is told of, where an operator set its address. */
export const WEBHOOKS = webhookModels(
  {
    DocumentSignatureCompleted: {
      when: 'A document was signed. The links to its files are made for each attempt.',
      data: DocumentModel.extend({ status: z.literal('Completed') }),
      example: { ...DOCUMENT, status: 'Completed' },
    },
  },
  { tag: 'documents', dataField: 'document' },
);
