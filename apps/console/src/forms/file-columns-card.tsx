/** A card that asks what each column of a file means, with the first value of each column. */
import { type ReactNode, useId } from 'react';
import { Alert } from '../ui/alert.tsx';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';

interface FileColumnsCardProps<Column extends string> {
  description: string;
  file: { readonly header: readonly string[]; readonly records: readonly (readonly string[])[] };
  /** The meaning of each column of the file; null for an unused one. */
  mapping: readonly (Column | null)[];
  /** Each meaning with its label. */
  labels: Readonly<Record<Column, string>>;
  unusedLabel: string;
  disabled: boolean;
  /** Error of the mapping, or null. */
  problem: string | null;
  onChange: (index: number, column: Column | null) => void;
  /** The button of the next step. */
  children: ReactNode;
}

export function FileColumnsCard<Column extends string>(
  props: FileColumnsCardProps<Column>,
): React.JSX.Element {
  const { file, mapping, labels, problem } = props;
  const id = useId();
  const columns = Object.keys(labels) as Column[];
  const options = [
    { value: '', label: props.unusedLabel },
    ...columns.map((column) => ({ value: column, label: labels[column] })),
  ];
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>Columns</CardTitle>
        <CardDescription>{props.description}</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {file.header.map((header, index) => (
            <Field
              // Two columns can have the same header.
              key={index}
              label={
                <>
                  Column &quot;<bdi translate="no">{header}</bdi>&quot;
                </>
              }
              helpText={
                <span className="line-clamp-1 wrap-anywhere">
                  First row: <bdi translate="no">{file.records[0]?.[index]}</bdi>
                </span>
              }
              render={(control) => (
                <Select
                  {...control}
                  options={options}
                  value={mapping[index] ?? ''}
                  disabled={props.disabled}
                  onChange={({ target }) =>
                    props.onChange(index, columns.find((column) => column === target.value) ?? null)
                  }
                />
              )}
            />
          ))}
        </div>
        {problem !== null && <Alert variant="destructive" role="alert" title={problem} />}
      </CardContent>
      <CardFooter>{props.children}</CardFooter>
    </Card>
  );
}
