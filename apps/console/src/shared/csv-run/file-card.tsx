/** Chooses the list: a file, which can also be dropped, or pasted rows. */
import Download from 'lucide-react/icons/download';
import { type DragEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/input.tsx';
import { cx } from '../../ui/cx.ts';
import { startDownload } from '../../ui/save-file.ts';
import type { CsvList, CsvListText } from './csv-list.ts';
import { csvRunText } from './csv-run-text.ts';
import { ReadingFields } from './reading-fields.tsx';
import type { ChosenFile } from './use-csv-file.ts';
import { useKeptFocus } from './use-kept-focus.ts';

const text = csvRunText.file;

interface FileCardProps {
  list: Pick<CsvList<string, unknown>, 'template'> & { readonly text: CsvListText };
  source: Omit<ChosenFile<string>, 'setColumn'>;
  running: boolean;
  pasted: string;
  onPaste: (rows: string) => void;
}

export function FileCard({ list, source, running, pasted, onPaste }: FileCardProps): React.JSX.Element {
  const id = useId();
  const { file, reading, isPasted } = source;
  const isRead = file !== undefined && !reading && source.problem === undefined;
  const disabled = running || reading;
  const keptFocus = useKeptFocus();
  const drop = useFileDrop(source.choose, disabled);
  return (
    <Card
      aria-labelledby={id}
      {...keptFocus}
      {...drop.props}
      className={cx(drop.isOver && 'outline-2 outline-offset-2 outline-primary outline-dashed')}
    >
      <CardHeader>
        <CardTitle id={id}>{list.text.file.title}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4">
        <Field
          label={text.label}
          error={isPasted ? undefined : source.problem}
          helpText={`${list.text.file.help} ${text.drop}`}
          render={(control) => (
            <input
              {...control}
              type="file"
              accept=".csv,.tsv,.txt,.xlsx,text/csv"
              disabled={disabled}
              className={fileInputStyle}
              onClick={({ currentTarget }) => {
                // The same file can be chosen again after it was corrected.
                currentTarget.value = '';
              }}
              onChange={({ target }) => {
                const [chosen] = target.files ?? [];
                if (chosen !== undefined) source.choose(chosen);
              }}
            />
          )}
        />
        <div>
          <TemplateButton {...list.template} />
        </div>
        <PasteField
          paste={list.text.paste}
          source={source}
          running={running}
          pasted={pasted}
          onPaste={onPaste}
        />
        <output className="block text-sm font-medium empty:sr-only">
          {reading && text.reading}
          {isRead && text.chosen(file.name, file.records.length)}
        </output>
        {file !== undefined && <ReadingFields source={source} file={file} disabled={running} />}
      </CardContent>
    </Card>
  );
}

/** Accepts one file that is dropped on the element. */
function useFileDrop(choose: (file: File) => void, disabled: boolean) {
  const [isOver, setOver] = useState(false);
  const accepts = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  return {
    isOver,
    props: {
      onDragOver: (event: DragEvent): void => {
        if (!accepts(event)) return;
        // Otherwise the browser leaves the page and opens the file.
        event.preventDefault();
        setOver(!disabled);
      },
      onDragLeave: (event: DragEvent): void => {
        const { currentTarget, relatedTarget } = event;
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false);
      },
      onDrop: (event: DragEvent): void => {
        if (!accepts(event)) return;
        event.preventDefault();
        setOver(false);
        const [dropped] = event.dataTransfer.files;
        if (dropped !== undefined && !disabled) choose(dropped);
      },
    },
  };
}

function TemplateButton({ name, header }: CsvList<string, unknown>['template']): React.JSX.Element {
  // Excel recognizes UTF-8 by the byte order mark.
  const save = (): void =>
    startDownload(new Blob([`\uFEFF${header.join(',')}\r\n`], { type: 'text/csv' }), name);
  return (
    <Button variant="outline" onClick={save}>
      <Download aria-hidden />
      {text.template}
    </Button>
  );
}

interface PasteFieldProps extends Pick<FileCardProps, 'source' | 'running' | 'pasted' | 'onPaste'> {
  paste: CsvListText['paste'];
}

function PasteField({ paste, source, running, pasted, onPaste }: PasteFieldProps): React.JSX.Element | null {
  if (paste === undefined) return null;
  const { isPasted, problem, reading } = source;
  return (
    <>
      <Field
        label={paste.label}
        error={isPasted ? problem : undefined}
        helpText={paste.help}
        render={(control) => (
          <Textarea
            {...control}
            value={pasted}
            disabled={running}
            spellCheck={false}
            onChange={({ target }) => onPaste(target.value)}
          />
        )}
      />
      <div>
        <Button
          variant="outline"
          disabled={running || reading || pasted.trim() === ''}
          pending={reading && isPasted}
          onClick={() => source.paste(pasted, paste.name)}
        >
          {paste.use}
        </Button>
      </div>
    </>
  );
}

const fileInputStyle = [
  'w-full cursor-pointer rounded-md border border-input bg-raised text-sm text-foreground shadow-xs',
  'file:mr-3 file:h-9 file:cursor-pointer file:border-0 file:border-r file:border-solid file:border-input',
  'file:bg-subtle file:px-4 file:text-sm file:font-medium file:text-foreground disabled:opacity-60',
].join(' ');
