import { itemRoutes } from '../flows/item-routes.ts';
import type { CurriculumData } from '../items/domain/data.ts';
import { Curriculum } from './contract.ts';

export const curriculumRoutes = itemRoutes<CurriculumData>('curriculum', {
  one: 'curriculum',
  model: Curriculum,
});
