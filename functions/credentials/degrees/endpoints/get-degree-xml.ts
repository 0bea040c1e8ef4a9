import { degreeRoutes } from '../routes.ts';

export const handler = degreeRoutes.getXml();
