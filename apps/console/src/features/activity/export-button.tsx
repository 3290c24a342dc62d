/** Exports the filtered list. Each export is an entry of the list itself. */
import type { ActivityExport, ActivityFilter } from '@lanternrock/contract/activity';
import Download from 'lucide-react/icons/download';
import { callFunction } from '../../api/functions.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { activityScreenText } from './activity-screen-text.ts';

const text = activityScreenText.export;
const formats = ['csv', 'jsonl'] as const;

const save = (filter: ActivityFilter, format: ActivityExport['format']): void => {
  const input = { ...filter, format };
  void saveFile({
    action: `export-activity ${JSON.stringify(input)}`,
    fileName: `activity-${new Date().toISOString().slice(0, 10)}.${format}`,
    load: (options) => callFunction('export-activity', input, options),
    text,
  });
};

export const ExportButton = ({ filter }: { filter: ActivityFilter }): React.JSX.Element => (
  <Menu
    align="end"
    trigger={
      <Button variant="outline">
        <Download aria-hidden />
        {text.button}
      </Button>
    }
  >
    {formats.map((format) => (
      <MenuItem key={format} onSelect={() => save(filter, format)}>
        {text[format]}
      </MenuItem>
    ))}
  </Menu>
);
