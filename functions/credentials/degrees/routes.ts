import { itemRoutes } from '../flows/item-routes.ts';
import type { DegreeData } from '../items/domain/data.ts';
import { Degree } from './contract.ts';

export const degreeRoutes = itemRoutes<DegreeData>('degree', { one: 'degree', model: Degree });
