export function writeBillOfMaterials(file?: string): Promise<number>;
