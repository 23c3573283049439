/** Acts on rows: of a Finder window, on a Mac. */
import { equals, rowNamed } from './scene.js';
import { check, type Check } from './types.js';

export const ROWS: Record<'setSelected' | 'setExpanded' | 'scrollIntoView', Check> = {
  setSelected: check({
    async steps(stage) {
      const { row } = await stage.rows();
      await stage.desktop.setSelected((await rowNamed(stage, row)).id, true, stage.signal);
      return row;
    },
    witness: async ({ witness }, row) => equals(await witness.selectedRows(), [row]),
  }),
  setExpanded: check({
    async steps(stage) {
      const { folding } = await stage.rows();
      const before = await stage.witness.isUnfolded();
      const { id } = await rowNamed(stage, folding);
      await stage.desktop.setExpanded(id, true, stage.signal);
      return before;
    },
    async witness({ witness }, before) {
      const seen = await witness.isUnfolded();
      return { seen, agrees: !before && seen };
    },
  }),
  scrollIntoView: check({
    async steps(stage) {
      const { last } = await stage.rows();
      const before = await stage.witness.scrolledRows();
      const { id } = await rowNamed(stage, last);
      await stage.desktop.scrollIntoView(id, stage.signal);
      return before;
    },
    async witness({ witness }, before) {
      const seen = await witness.scrolledRows();
      return { seen, agrees: seen > before };
    },
  }),
};
