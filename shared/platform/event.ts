import * as z from 'zod';

/** An id of the platform, which becomes part of a path there. Our own has UUIDs. */
export const platformId = () =>
  z.string().regex(/^[\w-]{1,100}$/, 'must have 1 to 100 letters, digits, dashes and underscores');

// Ten times what our own platform cites at most.
const MAX_DOCUMENTS = 1_000;

/**
 * The event of a platform's webhook, which cites one document, or `documents`; a test of the webhook cites none. Other
 * fields are ignored, and nothing that it says is to be believed.
 * @example export const SignerEvent = platformEvent(z.object({ id: platformId() })).meta({ description, examples });
 */
export const platformEvent = <Cited extends z.ZodObject>(cited: Cited) =>
  z.union([
    z.object({ type: z.literal('WebhookTest'), data: z.object({}).transform(() => ({ documents: [] })) }),
    z.object({
      type: z.string().min(1).describe('The type of the event.'),
      data: z.union([z.object({ documents: z.array(cited).max(MAX_DOCUMENTS) }), cited]),
    }),
  ]);

type Data<Document> = { readonly documents: readonly Document[] } | Document;

/** The documents that an event cites. @example const ids = citedIn(event.data).map(({ id }) => id); */
export const citedIn = <Document extends object>(data: Data<Document>): readonly Document[] =>
  'documents' in data ? data.documents : [data];
