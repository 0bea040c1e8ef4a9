import { curriculumRoutes } from '../routes.ts';

export const handler = curriculumRoutes.getXml();
