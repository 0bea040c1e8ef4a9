import { itemRoutes } from '../flows/item-routes.ts';
import type { EmissionData } from '../items/domain/data.ts';
import { Emission } from './contract.ts';

export const emissionRoutes = itemRoutes<EmissionData>('emission', { one: 'emission', model: Emission });
