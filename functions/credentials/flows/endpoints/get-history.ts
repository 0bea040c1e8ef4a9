import * as z from 'zod';
import { json } from '../../../../shared/http/response/answer.ts';
import { pathId } from '../../../../shared/http/validate.ts';
import { readHistory, renderEntry } from '../../items/domain/history.ts';
import { requireItem } from '../../items/domain/item.ts';
import { KIND_PATHS, kindAtPath } from '../../items/domain/kinds.ts';
import { History, ITEM_ID } from '../../items/shapes.ts';
import { credentials } from '../../service.ts';
import { isInScope } from '../../tenants/domain/organization.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/history/{items}/{id}',
    can: 'items.read',
    summary: 'Read what happened to an item',
    description:
      'Every change of an item with its time, its reason and who caused it, the newest first. Changes from before the history was kept are not in it.',
    tag: 'history',
    params: z.object({
      items: z
        .enum(KIND_PATHS)
        .meta({ description: 'The kind of the item, as its paths name it.', examples: ['degrees'] }),
      id: pathId().meta({ description: 'The item.', examples: [ITEM_ID] }),
    }),
    answers: { 200: History },
    refuses: ['ItemNotFound'],
  },
  async ({ params: { items, id }, caller }) => {
    const item = await requireItem(kindAtPath(items), id, ({ organizationId }) =>
      isInScope(caller, organizationId),
    );
    return json({ entries: (await readHistory(item)).map(renderEntry) });
  },
);
