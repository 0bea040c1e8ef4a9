import { itemRoutes } from '../flows/item-routes.ts';
import type { InspectionFileData } from '../items/domain/data.ts';
import { InspectionFile } from './contract.ts';

export const inspectionFileRoutes = itemRoutes<InspectionFileData>('inspectionFile', {
  one: 'inspection file',
  model: InspectionFile,
});
