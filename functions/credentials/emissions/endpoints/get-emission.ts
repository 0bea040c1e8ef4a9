import { emissionRoutes } from '../routes.ts';

export const handler = emissionRoutes.get();
