import * as z from 'zod';
import { pki } from '../../../../functions/pki/service.ts';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { collection } from '../../../../shared/store/collection.ts';

const Item = z.object({ id: z.string().min(1) });

const items = collection<{ readonly id: string }, string>({
  service: 'pki',
  name: 'bench item',
  id: ({ id }) => id,
  key: (id) => ({ pk: `HOUSE#${id}`, sk: 'HOUSE' }),
});

/** The same write behind everything that endpoint() does: key, permission, parsing, validation, log line. */
export const handler = pki.endpoint(
  {
    route: 'POST /house',
    summary: 'Bench',
    body: jsonBody(Item),
    answers: { 200: Item },
    permission: 'bench',
  },
  async ({ body }) => {
    const { id } = await items.put({ id: body.id });
    return { id };
  },
);
