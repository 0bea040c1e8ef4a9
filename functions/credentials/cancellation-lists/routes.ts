import { itemRoutes } from '../flows/item-routes.ts';
import type { CancellationListData } from '../items/domain/data.ts';
import { CancellationList } from './contract.ts';

export const cancellationListRoutes = itemRoutes<CancellationListData>('cancellationList', {
  one: 'list of annulled degrees',
  many: 'lists of annulled degrees',
  model: CancellationList,
});
