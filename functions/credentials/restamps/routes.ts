import { itemRoutes } from '../flows/item-routes.ts';
import type { RestampData } from '../items/domain/data.ts';
import { Restamp } from './contract.ts';

export const restampRoutes = itemRoutes<RestampData>('restamp', { one: 'restamp', model: Restamp });
