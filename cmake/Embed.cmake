# Puts files into a target, as a table of names and texts (host/embedded.h).
#
# Included, it defines clcable_embed(TARGET TABLE [FROM FOLDER] FILE...). A file's name in the table is its path from FOLDER;
# without FROM it has no folder. Run as a script, with FILES (joined by |), FROM, TABLE and OUTPUT, it writes the table.
# Texts are byte arrays: C promises string literals of no more than 4095 bytes.

if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" files "${FILES}")
  set(arrays "")
  set(table "")
  set(index 0)
  foreach(file IN LISTS files)
    if(FROM)
      file(RELATIVE_PATH name ${FROM} ${file})
    else()
      get_filename_component(name ${file} NAME)
    endif()
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char text_${index}[] = { /* ${name} */\n${bytes}0x00};\n")
    string(APPEND table "    {\"${name}\", (const char *)text_${index}, sizeof text_${index} - 1},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(WRITE ${OUTPUT} "/* Made by cmake/Embed.cmake. */\n#include \"embedded.h\"\n\n"
       "extern const cab_embedded ${TABLE}[];\nextern const int ${TABLE}_count;\n\n${arrays}\n"
       "const cab_embedded ${TABLE}[] = {\n${table}    {0, 0, 0}};\n" # C has no empty tables
       "const int ${TABLE}_count = ${index};\n")
  return()
endif()

set(CLCABLE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(clcable_embed target table)
  cmake_parse_arguments(PARSE_ARGV 2 embed "" "FROM" "")
  set(files ${embed_UNPARSED_ARGUMENTS})
  string(REPLACE ";" "|" joined "${files}")
  set(output ${PROJECT_BINARY_DIR}/generated/${table}.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${joined}" -DFROM=${embed_FROM} -DTABLE=${table} -DOUTPUT=${output} -P ${CLCABLE_EMBED_SCRIPT}
    DEPENDS ${files} ${CLCABLE_EMBED_SCRIPT}
    COMMENT "Embedding ${table}" VERBATIM)
  # Rules reach only targets of this folder, so the target depends on one that has the file made.
  add_custom_target(${table}_file DEPENDS ${output})
  add_dependencies(${target} ${table}_file)
  set_source_files_properties(${output} TARGET_DIRECTORY ${target} PROPERTIES GENERATED TRUE)
  target_sources(${target} PRIVATE ${output})
endfunction()
