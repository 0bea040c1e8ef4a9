export * from '../../../../shared/ui/parts.ts';
